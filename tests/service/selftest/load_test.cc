#include "service/selftest/load.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace winperf::selftest {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Pair;

constexpr std::uint64_t kMib = std::uint64_t{1} << 20;

// As many samples as there are numbers, 15 s apart.
LoadSeries series_of(const std::vector<std::uint64_t>& bytes, std::uint64_t handles = 100) {
  LoadSeries series{.process = "the server"};
  for (const std::uint64_t each : bytes) {
    const auto number = static_cast<double>(series.samples.size());
    series.samples.push_back({.seconds = 15 * number,
                              .process = {.id = 7,
                                          .use = {.cpu_seconds = 1 + 0.3 * number,
                                                  .private_bytes = each,
                                                  .handles = handles,
                                                  .threads = 10},
                                          .switches = 1'000 + 60 * series.samples.size()}});
  }
  return series;
}

TEST(Load, RatesAreThoseOfTheWholeTime) {
  const LoadRates rates = rates_of(series_of(std::vector<std::uint64_t>(9, 50 * kMib)));
  EXPECT_NEAR(rates.processors.value_or(0), 0.02, 1e-9);
  EXPECT_NEAR(rates.switches.value_or(0), 4, 1e-9);
  EXPECT_FALSE(rates_of(series_of({1})).processors);
}

TEST(Load, ACountThatFallsIsUnknown) {
  LoadSeries series = series_of({1, 1});
  series.samples.back().process.switches = 10;
  series.samples.back().process.use.cpu_seconds = 0;
  EXPECT_FALSE(rates_of(series).switches);
  EXPECT_FALSE(rates_of(series).processors);
}

TEST(Growth, IsFoundAboveTheBoundAlone) {
  std::vector<std::uint64_t> bytes(16, 50 * kMib);
  EXPECT_THAT(growth_of(series_of(bytes)), IsEmpty());
  for (std::size_t i = 12; i < 16; ++i) bytes[i] += kMemoryGrowth;
  EXPECT_THAT(growth_of(series_of(bytes)), IsEmpty());
  for (std::size_t i = 12; i < 16; ++i) bytes[i] += 1;
  const auto findings = growth_of(series_of(bytes));
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].sentence, "private bytes of the server grow");
  EXPECT_THAT(
      findings[0].details,
      ElementsAre(Pair("highest of the second quarter", std::to_string(50 * kMib)),
                  Pair("lowest of the last quarter", std::to_string(50 * kMib + kMemoryGrowth + 1)),
                  Pair("may grow by", std::to_string(kMemoryGrowth))));
}

TEST(Growth, ASteadyLeakIsFound) {
  std::vector<std::uint64_t> bytes;
  for (std::uint64_t i = 0; i < 20; ++i) bytes.push_back((50 + 2 * i) * kMib);
  EXPECT_EQ(growth_of(series_of(bytes)).size(), 1U);
}

TEST(Growth, TheStartAndAMomentDoNotCount) {
  std::vector<std::uint64_t> bytes(16, 80 * kMib);
  for (std::size_t i = 0; i < 4; ++i) bytes[i] = kMib;
  bytes[14] = 500 * kMib;
  EXPECT_THAT(growth_of(series_of(bytes)), IsEmpty());
}

TEST(Growth, WhatIsKnownToBeKeptDoesNotCount) {
  std::vector<std::uint64_t> bytes;
  LoadSeries series;
  for (std::uint64_t i = 0; i < 16; ++i) bytes.push_back((50 + 5 * i) * kMib);
  series = series_of(bytes);
  for (std::uint64_t i = 0; i < 16; ++i) series.known.push_back(5 * i * kMib);
  EXPECT_THAT(growth_of(series), IsEmpty());
  series.known.assign(16, kMib);
  EXPECT_EQ(growth_of(series).size(), 1U);
}

TEST(Growth, HandlesAndThreads) {
  LoadSeries series = series_of(std::vector<std::uint64_t>(8, kMib));
  for (std::size_t i = 6; i < 8; ++i) {
    series.samples[i].process.use.handles = 100 + kHandleGrowth + 1;
    series.samples[i].process.use.threads = 10 + kThreadGrowth + 1;
  }
  const auto findings = growth_of(series);
  ASSERT_EQ(findings.size(), 2U);
  EXPECT_EQ(findings[0].sentence, "handles of the server grow");
  EXPECT_EQ(findings[1].sentence, "threads of the server grow");
}

TEST(Growth, OfUnknownNumbersAndOfFewSamplesNothingIsSaid) {
  LoadSeries series = series_of({1, 1, 1, 1, 1, 1, 1, 900 * kMib});
  series.samples[3].process.use.private_bytes.reset();
  EXPECT_THAT(growth_of(series), IsEmpty());
  EXPECT_THAT(growth_of(series_of({1, 1, 1, 900 * kMib, 900 * kMib, 900 * kMib, 900 * kMib})),
              IsEmpty());
}

TEST(Growth, ThatIsNotJudgedIsSaid) {
  const LoadSeries judged = series_of(std::vector<std::uint64_t>(8, kMib));
  LoadSeries young = series_of(std::vector<std::uint64_t>(7, kMib));
  young.process = "the worker facts";
  EXPECT_EQ(why_no_growth({judged, young}), "");
  EXPECT_EQ(why_no_growth({young}), "growth was not judged, which takes at least 2 minutes");
  EXPECT_EQ(why_no_growth({}), "growth was not judged, which takes at least 2 minutes");
  EXPECT_EQ(growth_json({judged, young}).dump(),
            R"({"judged":["the server"],"not_judged":["the worker facts"],"samples_needed":8})");
}

TEST(Load, IsToldForPeopleWithoutWhatIsUnknown) {
  LoadSeries other = series_of({kMib, 2 * kMib}, 50);
  EXPECT_EQ(load_text({series_of({kMib, kMib}), other}),
            "4.00 % of a processor, 3.0 MiB, 150 handles, 20 threads, 8.0 wake-ups a second");
  other.samples.back().process.use.handles.reset();
  other.samples.back().process.switches.reset();
  EXPECT_EQ(load_text({series_of({kMib, kMib}), other}),
            "4.00 % of a processor, 3.0 MiB, 20 threads");
  EXPECT_EQ(load_text({}), "nothing is known");
}

TEST(Load, UnknownNumbersAreNullInJson) {
  LoadSeries series = series_of({kMib, kMib});
  series.samples[1].process.use.handles.reset();
  const auto json = load_json(series);
  EXPECT_EQ(json["samples"].size(), 2U);
  EXPECT_EQ(json["samples"][0]["handles"], 100);
  EXPECT_TRUE(json["samples"][1]["handles"].is_null());
  EXPECT_EQ(json["samples"][1]["seconds"], 15);
}

TEST(Load, SaysHowTypeperfEndedEarly) {
  EXPECT_EQ(early_end_text({.exit_code = 1, .output = "\r\nError: No valid counters.\r\n"}),
            "exit code 1: Error: No valid counters.");
  EXPECT_EQ(early_end_text({.exit_code = 0}), "exit code 0");
  EXPECT_EQ(early_end_text({.exit_code = 3, .errors = "why\n"}), "exit code 3: why");
  EXPECT_LT(early_end_text({.exit_code = 1, .output = std::string(5'000, 'x')}).size(), 400U);
}

}  // namespace
}  // namespace winperf::selftest
