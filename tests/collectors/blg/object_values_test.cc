#include "collectors/blg/sample_values.h"

#include <gmock/gmock.h>

namespace winperf::blg {
namespace {

using ::testing::ElementsAre;

constexpr Ticks100ns kSampleTime{1'000};
constexpr std::uint32_t kLargeRawCount = 0x0001'0100;
constexpr std::uint32_t kFraction = 0x2002'0400;
constexpr std::uint32_t kPerfTimer = 0x2041'0500;
constexpr std::uint32_t k100nsTimer = 0x2051'0500;
constexpr std::uint32_t kObjectTimer = 0x2061'0500;

std::shared_ptr<const CountersetSchema> schema(std::uint32_t type, bool multi_instance = false) {
  CounterSchema counter;
  counter.type = CounterType{type};
  counter.has_base = counter.info().base != BaseKind::kNone;
  auto schema = std::make_shared<CountersetSchema>();
  schema->multi_instance = multi_instance;
  schema->counters = {counter};
  return schema;
}

constexpr RawValue kValue{.status = 0, .first = 5, .second = 7};
constexpr std::int64_t kTicksPerSecond = 10;

// A sample with one value.
std::shared_ptr<const CountersetSample> sample_of(std::uint32_t type) {
  const auto counters = schema(type);
  ObjectValues values(counters, layout_of(*counters));
  values.put(values.row_of({}), {.ticks_per_second = kTicksPerSecond}, kValue, std::nullopt);
  return values.finish(kSampleTime, 1);
}

TEST(ObjectValues, HaveABaseWhereTheCounterHasOneAndNowhereElse) {
  EXPECT_THAT(sample_of(kFraction)->raw, ElementsAre(5));
  EXPECT_EQ(sample_of(kFraction)->base_at(0), 7U);
  EXPECT_THAT(sample_of(kLargeRawCount)->raw, ElementsAre(5));
  EXPECT_EQ(sample_of(kLargeRawCount)->base_at(0), 0U);
}

// What a value's second number is: a time of the clock that its counter uses, or none.
TEST(ObjectValues, HaveTheTimeThatCameWithThemAndThatOfTheSample) {
  const auto clocks = [](std::uint32_t type) { return sample_of(type)->own_clocks.at(0); };
  EXPECT_EQ(clocks(kLargeRawCount), (Clocks{.time_100ns = kSampleTime}));
  EXPECT_EQ(clocks(kFraction), (Clocks{.time_100ns = kSampleTime}));
  EXPECT_EQ(clocks(k100nsTimer), (Clocks{.time_100ns = {7}}));
  EXPECT_EQ(
      clocks(kPerfTimer),
      (Clocks{.perf_time = {7}, .perf_frequency = {kTicksPerSecond}, .time_100ns = kSampleTime}));
  EXPECT_EQ(clocks(kObjectTimer), (Clocks{.time_100ns = kSampleTime,
                                          .object_time = {7},
                                          .object_frequency = {kTicksPerSecond}}));
}

TEST(ObjectValues, HaveNoMoreRowsThanTheyMay) {
  for (const std::size_t rows : {0U, 1U, 2U}) {
    const auto counters = schema(kLargeRawCount, true);
    ObjectValues values(counters, layout_of(*counters));
    for (const char* name : {"a", "b"})
      values.put(values.row_of({.parent = "", .name = name}), {}, kValue, std::nullopt);
    const auto sample = values.finish(kSampleTime, rows);
    EXPECT_EQ(sample->rows(), rows);
    EXPECT_EQ(sample->raw, std::vector<std::uint64_t>(rows, 5));
    EXPECT_EQ(values.cells(), 2u);
  }
}

}  // namespace
}  // namespace winperf::blg
