// What consumers make of each of the exporter's own counters: two states, ten seconds apart, are
// published, and cooked as the types of the table say. The results are worked out by hand.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "collectors/formula/cook.h"
#include "collectors/model/clock.h"
#include "collectors/model/counter_type.h"
#include "exporter/counters/own_counters.h"
#include "exporter/counters/own_state.h"
#include "exporter/counters/section_view.h"
#include "exporter/counters/section_writer.h"
#include "tests/support/cook_cell.h"

namespace winperf::own {
namespace {

// The first state is of this moment, a FILETIME.
constexpr std::int64_t kFirstState = 133'716'612'800'000'000;
constexpr std::int64_t kFileTimeSecond = 10'000'000;
constexpr std::int64_t kPerfSecond = 2'000'000;  // another one than that of FILETIMEs

// The clocks of a consumer's reading at that moment.
Clocks reading_at(std::int64_t time_100ns) {
  const std::int64_t perf_time =
      7 * kPerfSecond + (time_100ns - kFirstState) / kFileTimeSecond * kPerfSecond;
  return {.perf_time = {perf_time},
          .perf_frequency = {kPerfSecond},
          .time_100ns = {time_100ns},
          .object_time = {time_100ns},
          .object_frequency = {kFileTimeSecond}};
}

struct ExpectedValue {
  const char* symbol;
  std::uint64_t then;
  std::uint64_t now;
  double cooked = 0;  // of a base: unused
};

// An hour before the first state, and two seconds before the second one.
constexpr std::uint64_t kStartedAt =
    static_cast<std::uint64_t>(kFirstState - 3600 * kFileTimeSecond);
constexpr std::uint64_t kLastSample = static_cast<std::uint64_t>(kFirstState + 8 * kFileTimeSecond);

constexpr ExpectedValue kExpectedExporter[] = {
    {"STATE_NUMBER", 1, 2, 2},  // N1; the numbers that the writer gives
    {"UPTIME", kStartedAt, kStartedAt, 3610},
    {"SAMPLES", 1000, 1050, 5},    // 50 in 10 s
    {"FAILED_SAMPLES", 4, 9, 10},  // 5 of 50
    {"FAILED_SAMPLES_BASE", 1000, 1050},
    {"LATENESS", 3'000'000, 3'200'000, 0.002},  // 0.1 s in 50 samples
    {"LATENESS_BASE", 998, 1048},
    {"LONGEST_LATENESS", 250, 125, 125},
    {"COUNTERSETS", 12, 13, 13},
    {"FAILING_COUNTERSETS", 3, 2, 2},
    {"UNLISTED_COUNTERSETS", 0, 0, 0},
    {"VALUES", 4000, 4321, 4321},
    {"SERIES", 3000, 2900, 2900},
    {"ABSENT_PROBLEMS", 7, 10, 3},
    {"CORRUPT_PROBLEMS", 1, 1, 0},
    {"UNSUPPORTED_PROBLEMS", 0, 8, 8},
    {"PENDING_PROBLEMS", 5, 6, 1},
    {"SYSTEM_PROBLEMS", 100, 102, 2},
    {"SCRAPES", 20, 40, 2},
    {"SCRAPE_TIME", 400'000, 1'200'000, 0.02},  // 0.4 s in 20 scrapes
    {"SCRAPE_TIME_BASE", 20, 40},
    {"SCRAPES_IN_PROGRESS", 2'000'000, 6'000'000, 0.04},  // 0.4 s in 10 s
    {"SENT_BYTES", 500'000, 1'500'000, 100'000},
    {"SCRAPE_BYTES", 400'000, 1'300'000, 45'000},
    {"SCRAPE_BYTES_BASE", 20, 40},
    {"CONNECTIONS", 1, 3, 3},
    {"WORKER_RESTARTS", 0, 1, 1},
    {"RECORDER_BYTES", 20'000'000, 30'000'000, 30'000'000},
    {"RECORDER_SHARE", 20'000'000, 30'000'000, 75},  // of 40 MB
    {"RECORDER_SHARE_BASE", 40'000'000, 40'000'000},
    {"RECORDER_REACH", 7190, 7200, 7200},
    {"PRIVATE_BYTES", 51'000'000, 50'000'000, 50'000'000},
    {"PROCESSOR_TIME", 90'000'000, 115'000'000, 25},  // 2.5 s in 10 s
};

constexpr ExpectedValue kExpectedCounterset[] = {
    {"STATE", 2, 1, 1},
    {"AGE", kLastSample - 5 * kFileTimeSecond, kLastSample, 2},
    {"CS_SAMPLES", 100, 102, 0.2},
    {"CS_FAILED_SAMPLES", 40, 41, 50},
    {"CS_FAILED_SAMPLES_BASE", 100, 102},
    {"CS_DURATION", 1'000'000, 1'600'000, 0.15},  // 0.3 s in 2 attempts
    {"CS_DURATION_BASE", 100, 102},
    {"CS_SAMPLING_TIME", 5'000'000, 8'000'000, 3},  // 0.3 s in 10 s
    {"CS_REPLY_BYTES", 4096, 8192, 8192},
    {"CS_VALUES", 300, 310, 310},
    {"CS_MISSING_VALUES", 0, 4, 4},
    {"CS_PROBLEMS", 11, 13, 2},
};

class OwnFormulas : public ::testing::Test {
 protected:
  using Values = std::vector<std::uint64_t>;

  OwnFormulas() {
    std::unique_ptr<Word[]> memory = std::make_unique<Word[]>(kSectionWords);
    const std::span<Word> words(memory.get(), kSectionWords);
    SectionWriter writer(words);
    for (const bool now : {false, true}) {
      OwnState state{.written_at = kFirstState + (now ? 10 : 0) * kFileTimeSecond};
      for (std::size_t i = 0; i < kExporterValues; ++i)
        state.exporter[i] = now ? kExpectedExporter[i].now : kExpectedExporter[i].then;
      CountersetRow& row = state.countersets.emplace_back();
      row.name = u"Memory";
      for (std::size_t i = 0; i < kCountersetValues; ++i)
        row.values[i] = now ? kExpectedCounterset[i].now : kExpectedCounterset[i].then;
      writer.publish(state);
      const auto copy = SectionView(words).newest();
      for (std::size_t i = 0; i < kExporterValues; ++i)
        exporter_[now].push_back(copy->exporter_value(i));
      for (std::size_t i = 0; i < kCountersetValues; ++i)
        counterset_[now].push_back(copy->value(0, i));
    }
  }

  static winperf::testing::Measurement measured(const ObjectRow& object, std::size_t row,
                                                const Values& values, std::int64_t time) {
    winperf::testing::Observation observation{
        .value = values[row], .value_bytes = static_cast<std::uint8_t>(object.counters[row].bytes)};
    if (row + 1 < values.size() && is_base(object.counters[row + 1].type)) {
      observation.base = values[row + 1];
      observation.base_bytes = static_cast<std::uint8_t>(object.counters[row + 1].bytes);
    }
    return {observation, reading_at(time)};
  }

  static void check(const ObjectRow& object, std::span<const ExpectedValue> expected,
                    const Values& then, const Values& now) {
    ASSERT_EQ(expected.size(), object.counters.size());
    for (std::size_t row = 0; row < expected.size(); ++row) {
      const CounterRow& counter = object.counters[row];
      ASSERT_STREQ(counter.symbol, expected[row].symbol);
      if (is_base(counter.type)) continue;
      const auto cooked =
          winperf::testing::cook(describe(CounterType{static_cast<std::uint32_t>(counter.type)}),
                                 measured(object, row, then, kFirstState),
                                 measured(object, row, now, kFirstState + 10 * kFileTimeSecond));
      ASSERT_TRUE(cooked) << counter.symbol << ": " << name_of(cooked.error());
      EXPECT_DOUBLE_EQ(*cooked, expected[row].cooked) << counter.symbol;
    }
  }

  Values exporter_[2];  // of both states
  Values counterset_[2];
};

TEST_F(OwnFormulas, OfTheExporter) {
  check(kExporterObject, kExpectedExporter, exporter_[0], exporter_[1]);
}

TEST_F(OwnFormulas, OfACounterset) {
  check(kCountersetObject, kExpectedCounterset, counterset_[0], counterset_[1]);
}

}  // namespace
}  // namespace winperf::own
