#include "exporter/text/own_metrics.h"

#include <gmock/gmock.h>

#include <string>
#include <utility>

#include "tests/exporter/support/own_series.h"
#include "tests/exporter/support/sample_builder.h"

namespace winperf {
namespace {

using namespace testing;  // NOLINT: builders of this room's tests
using prometheus::MetricType;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Pair;

constexpr std::int64_t kSecond = 10'000'000;

// Such as "a,reason=first_sample" for the counterset "a".
std::string labels_of(const prometheus::ClientMetric& metric) {
  std::string text;
  for (const auto& label : metric.label) {
    if (label.name != "counterset") text += ',' + label.name + '=';
    text += label.value;
  }
  return text;
}

Families families_of(const Sample& sample, const std::vector<CountersetCounts>& counts,
                     SteadyTime now) {
  Families families;
  for (const auto& family : testing::collected(counterset_metrics(sample, counts, now))) {
    Series& series = families[family.name];
    EXPECT_TRUE(series.empty()) << family.name << " is there twice";
    for (const auto& metric : family.metric) {
      const bool grows = family.type == MetricType::Counter;
      EXPECT_EQ(grows, family.name.ends_with("_total")) << family.name;
      series.emplace_back(labels_of(metric), grows ? metric.counter.value : metric.gauge.value);
    }
  }
  return families;
}

// Numbers by which all members of the state and of its counts can be told apart.
CountersetState distinct_state(const std::string& name, std::uint64_t seed) {
  CountersetSample sampled = values(object(name, {counter("x", kRawCount)}));
  sampled.instances_left_out = seed + 11;
  CountersetState result = state(name, std::move(sampled));
  result.duration_seconds = static_cast<double>(seed) + 0.5;
  result.attempts = seed + 1;
  result.failures = seed + 2;
  result.skipped_ticks = seed + 3;
  result.late_seconds = static_cast<double>(seed) + 14;
  result.bytes = seed + 4;
  result.sampled_at = {SteadyTime(std::chrono::seconds(seed + 50)),
                       {kUnixEpoch100ns + static_cast<std::int64_t>(seed + 5) * kSecond}};
  return result;
}

CountersetCounts distinct_counts(std::uint64_t seed) {
  CountersetCounts counts;
  counts.series = seed + 6;
  counts.duplicates = seed + 7;
  counts.unplaced = seed + 12;
  counts.unnamed = seed + 8;
  counts.not_numeric = seed + 9;
  counts.no_room = seed + 10;
  counts.hidden_instances = seed + 13;
  return counts;
}

constexpr SteadyTime kNow{std::chrono::seconds(1000)};

// The family without its prefix, and what it says of distinct_state(seed), for seed 100.
const std::pair<const char*, double> kOfSeed100[] = {
    {"counterset_success", 1},
    {"counterset_fallback", 0},
    {"counterset_duration_seconds", 100.5},
    {"counterset_attempts_total", 101},
    {"counterset_failures_total", 102},
    {"skipped_samples_total", 103},
    {"counterset_late_seconds", 114},
    {"counterset_sample_bytes", 104},
    {"counterset_last_sample_timestamp_seconds", 105},
    {"counterset_sample_age_seconds", 1000 - 150},
    {"counterset_stale", 1},
    {"counterset_series", 106},
    {"counterset_duplicate_series", 107},
    {"counterset_unnamed_counters", 108},
    {"counterset_not_numeric_counters", 109},
    {"counterset_no_room_series", 110},
    {"counterset_left_out_instances", 111},
    {"counterset_unplaced_instances", 112},
    {"counterset_hidden_instances", 113},
};
// How each number changes if the seed grows by one.
double step_of(const std::string& family) {
  if (family == "counterset_success" || family == "counterset_fallback" ||
      family == "counterset_stale")
    return 0;
  return family == "counterset_sample_age_seconds" ? -1 : 1;
}

TEST(CountersetMetrics, EachFamilyShowsTheMemberThatItNames) {
  const auto one = sample(1, {distinct_state("a", 100)});
  Families families = families_of(*one, {distinct_counts(100)}, kNow);
  for (const auto& [name, value] : kOfSeed100) {
    EXPECT_THAT(families["winperf_exporter_" + std::string(name)], ElementsAre(Pair("a", value)))
        << name;
    families.erase("winperf_exporter_" + std::string(name));
  }
  EXPECT_THAT(families["winperf_exporter_counterset_path_info"],
              ElementsAre(Pair("a,path=registry", 1)));
  families.erase("winperf_exporter_counterset_path_info");
  for (const auto& [name, series] : families) {
    EXPECT_TRUE(name == "winperf_exporter_problems_total" ||
                name == "winperf_exporter_values_missing" ||
                name == "winperf_exporter_counterset_absent")
        << name << " has no row above";
    EXPECT_THAT(series, IsEmpty()) << name;
  }
}

TEST(CountersetMetrics, OfAnAbsentCountersetSayThatAlone) {
  CountersetState absent = distinct_state("a", 100);
  absent.sample = nullptr;
  absent.success = false;
  absent.is_absent = true;
  Families families = families_of(*sample(1, {absent}), {distinct_counts(100)}, kNow);
  EXPECT_THAT(families["winperf_exporter_counterset_absent"], ElementsAre(Pair("a", 1)));
  for (const char* const failing : {"counterset_success", "counterset_failures_total"})
    EXPECT_THAT(families["winperf_exporter_" + std::string(failing)], IsEmpty()) << failing;
}

TEST(CountersetMetrics, OfManyCountersetsHaveOneSeriesForEachInTheirOrder) {
  for (const std::size_t count : {0U, 1U, 2U, 50U}) {
    std::vector<CountersetState> states;
    std::vector<CountersetCounts> counts;
    for (std::size_t i = 0; i < count; ++i) {
      states.push_back(distinct_state("c" + std::to_string(i), 100 + i));
      counts.push_back(distinct_counts(100 + i));
    }
    Families families = families_of(*sample(1, std::move(states)), counts, kNow);
    for (const auto& [name, value] : kOfSeed100) {
      Series expected;
      for (std::size_t i = 0; i < count; ++i)
        expected.emplace_back("c" + std::to_string(i),
                              value + static_cast<double>(i) * step_of(name));
      EXPECT_EQ(families["winperf_exporter_" + std::string(name)], expected) << name;
    }
  }
}

TEST(CountersetMetrics, OfACountersetThatHasOnlyFailedSayNothingOfASample) {
  CountersetState failed = distinct_state("a", 100);
  failed.sample = nullptr;
  failed.success = false;
  failed.sampled_at = {};
  Families families = families_of(*sample(1, {failed}), {distinct_counts(100)}, kNow);
  const auto of = [&](const char* name) {
    return families["winperf_exporter_" + std::string(name)];
  };
  EXPECT_THAT(of("counterset_success"), ElementsAre(Pair("a", 0)));
  EXPECT_THAT(of("counterset_duration_seconds"), ElementsAre(Pair("a", 100.5)));
  EXPECT_THAT(of("counterset_attempts_total"), ElementsAre(Pair("a", 101)));
  EXPECT_THAT(of("counterset_failures_total"), ElementsAre(Pair("a", 102)));
  EXPECT_THAT(of("skipped_samples_total"), ElementsAre(Pair("a", 103)));
  for (const char* name :
       {"counterset_fallback", "counterset_sample_age_seconds", "counterset_stale",
        "counterset_last_sample_timestamp_seconds", "counterset_sample_bytes", "counterset_series",
        "counterset_duplicate_series", "counterset_unplaced_instances",
        "counterset_unnamed_counters", "counterset_not_numeric_counters", "counterset_path_info"})
    EXPECT_THAT(of(name), IsEmpty()) << name;
}

TEST(CountersetMetrics, AFallbackIsTheOtherPathsErrorWhateverTheLastAttemptDid) {
  CountersetState fallen = distinct_state("a", 1);
  fallen.preferred_path_error = Error{.code = ErrorCode::kBusy};
  CountersetState failed = distinct_state("b", 2);
  failed.success = false;
  failed.error = Error{.code = ErrorCode::kBusy};
  Families families =
      families_of(*sample(1, {fallen, failed}), std::vector<CountersetCounts>(2), kNow);
  EXPECT_THAT(families["winperf_exporter_counterset_fallback"],
              ElementsAre(Pair("a", 1), Pair("b", 0)));
  EXPECT_THAT(families["winperf_exporter_counterset_success"],
              ElementsAre(Pair("a", 1), Pair("b", 0)));
}

TEST(CountersetMetrics, PathsAreThoseOfTheCurrentSamples) {
  std::vector<CountersetState> states;
  for (const CounterPath path :
       {CounterPath::kRegistry, CounterPath::kPerflib, CounterPath::kLog}) {
    CountersetSample of_path = values(object("x", {}));
    auto schema = std::make_shared<CountersetSchema>(*of_path.schema);
    schema->path = path;
    of_path.schema = std::move(schema);
    states.push_back(state(std::string(name_of(path)), of_path));
  }
  Families families =
      families_of(*sample(1, std::move(states)), std::vector<CountersetCounts>(3), kNow);
  EXPECT_THAT(families["winperf_exporter_counterset_path_info"],
              ElementsAre(Pair("registry,path=registry", 1), Pair("perflib,path=perflib", 1),
                          Pair("log,path=log", 1)));
}

TEST(CountersetMetrics, MissingValuesAreCountedByReasonAndNoReasonIsNone) {
  CountersetCounts counts;
  Series expected;
  for (std::size_t reason = 0; reason < kNoValueCount; ++reason) {
    counts.missing[reason] = 10 + reason;
    if (reason == 0) continue;
    expected.emplace_back("a,reason=" + std::string(name_of(static_cast<NoValue>(reason))),
                          10.0 + static_cast<double>(reason));
  }
  Families families = families_of(*sample(1, {distinct_state("a", 1)}), {counts}, kNow);
  EXPECT_EQ(families["winperf_exporter_values_missing"], expected);
}

TEST(CountersetMetrics, ProblemsAreCountedByCountersetAndReason) {
  auto with_problems = sample(1, {});
  Series expected;
  for (const std::size_t count : {0U, 1U, 2U, 50U}) {
    while (with_problems->problems.size() < count) {
      const std::size_t number = with_problems->problems.size();
      with_problems->problems.push_back(
          {"c" + std::to_string(number), ErrorCode::kTruncated, 7 + number, {}});
      expected.emplace_back("c" + std::to_string(number) + ",reason=truncated",
                            7.0 + static_cast<double>(number));
    }
    EXPECT_EQ(families_of(*with_problems, {}, kNow)["winperf_exporter_problems_total"], expected);
  }
}

}  // namespace
}  // namespace winperf
