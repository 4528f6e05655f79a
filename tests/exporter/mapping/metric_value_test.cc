#include "exporter/mapping/family.h"

#include <gtest/gtest.h>

#include <bit>

#include "tests/exporter/support/sample_builder.h"
#include "tests/support/sample_arrays.h"

namespace winperf {
namespace {

using namespace testing;  // NOLINT: builders of this room's tests

CountersetSample one_value(std::uint64_t value, std::uint64_t base) {
  CountersetSample sample = values(object("Object", {counter("Thing", kRawCount)}));
  sample.raw = {value};
  testing::set_rows(sample, testing::totals(sample), {value});
  testing::set_rows(sample, testing::bases(sample), {base});
  testing::set_rows(sample, testing::base_totals(sample), {base});
  sample.cooked = {12.5};
  return sample;
}

std::optional<double> number(const ValueRule& rule, const CountersetSample& sample) {
  const auto value = metric_value(rule, sample, 0);
  if (!value) return std::nullopt;
  return std::visit([](auto each) { return static_cast<double>(each); }, *value);
}

// The same of 8 bytes: `type` is that of a raw count.
CountersetSample one_large_value(std::uint64_t value, std::uint32_t type) {
  CounterSchema thing = counter("Thing", type);
  thing.size = 8;
  CountersetSample sample = values(object("Object", {thing}));
  sample.raw = {value};
  testing::set_rows(sample, testing::totals(sample), {value});
  return sample;
}

constexpr std::uint32_t kLargeHex = 0x0000'0100;

TEST(MetricValue_WithoutUnit, KeepsAll64Bits) {
  const auto value = metric_value({}, one_large_value(18446744073709551615U, kLargeHex), 0);
  ASSERT_TRUE(value && std::holds_alternative<std::uint64_t>(*value));
  EXPECT_EQ(std::get<std::uint64_t>(*value), 18446744073709551615U);
}

TEST(MetricValue_OfARawCountOf8Bytes, HasItsSign) {
  const std::uint64_t minus_2_to_62_less_1 = 0xBFFF'FFFF'FFFF'FFFF;
  const auto whole = metric_value({}, one_large_value(minus_2_to_62_less_1, kLargeRawCount), 0);
  ASSERT_TRUE(whole && std::holds_alternative<std::int64_t>(*whole));
  EXPECT_EQ(std::get<std::int64_t>(*whole), -4611686018427387905);
  const CountersetSample minus_3 = one_large_value(~2ULL, kLargeRawCount);
  EXPECT_EQ(number({0, ValueSource::kTotal, TimeBase::kNone, 1}, minus_3), -3.0);
  EXPECT_EQ(number({0, ValueSource::kRaw, TimeBase::kNone, 1024}, minus_3), -3072.0);
  EXPECT_EQ(number({0, ValueSource::kRaw, TimeBase::k100ns, 1}, minus_3), -3e-7);
  ValueRule less_one{0, ValueSource::kRaw, TimeBase::kNone, 1};
  less_one.offset = -1;
  EXPECT_EQ(number(less_one, minus_3), -4.0);
  ValueRule twice;
  twice.other = 0;
  EXPECT_EQ(number(twice, minus_3), -6.0);
}

TEST(MetricValue_InTicks, IsDividedByItsClocksFrequency) {
  CountersetSample sample = one_value(5000, 0);
  sample.clocks.perf_frequency = Frequency{1000};
  sample.clocks.object_frequency = Frequency{500};
  EXPECT_EQ(number({0, ValueSource::kTotal, TimeBase::kPerf, 1}, sample), 5.0);
  EXPECT_EQ(number({0, ValueSource::kTotal, TimeBase::k100ns, 1}, sample), 0.0005);
  EXPECT_EQ(number({0, ValueSource::kTotal, TimeBase::kObject, 1}, sample), 10.0);
}

TEST(MetricValue_WithoutFrequencyBaseOrStart, IsAbsentAndNotZero) {
  CountersetSample sample = one_value(0, 0);
  sample.clocks.object_frequency = Frequency{0};
  EXPECT_EQ(number({0, ValueSource::kTotal, TimeBase::kObject, 1}, sample), std::nullopt);
  EXPECT_EQ(number({0, ValueSource::kRatio, TimeBase::kNone, 1}, sample), std::nullopt);
  EXPECT_EQ(number({0, ValueSource::kStartTime, TimeBase::kObject, 1}, sample), std::nullopt);
}

TEST(MetricValue_OfABaseThatIsMissing, IsAbsentAndTheRawValueIsThere) {
  CountersetSample sample = one_value(7, 9);
  sample.reason = {NoValue::kNoBase};
  EXPECT_EQ(number({0, ValueSource::kBase, TimeBase::kNone, 1}, sample), std::nullopt);
  EXPECT_EQ(number({0, ValueSource::kBaseTotal, TimeBase::kNone, 1}, sample), std::nullopt);
  EXPECT_EQ(number({0, ValueSource::kTotal, TimeBase::kNone, 1}, sample), 7.0);
}

TEST(MetricValue_OfATotalOrABase, IsThatAndNotTheRawValue) {
  CountersetSample sample = one_value(1, 3);
  testing::set_rows(sample, testing::totals(sample), {2});
  testing::set_rows(sample, testing::base_totals(sample), {4});
  EXPECT_EQ(number({0, ValueSource::kRaw, TimeBase::kNone, 1}, sample), 1.0);
  EXPECT_EQ(number({0, ValueSource::kTotal, TimeBase::kNone, 1}, sample), 2.0);
  EXPECT_EQ(number({0, ValueSource::kBase, TimeBase::kNone, 1}, sample), 3.0);
  EXPECT_EQ(number({0, ValueSource::kBaseTotal, TimeBase::kNone, 1}, sample), 4.0);
}

TEST(MetricValue_OfPerfmonsNumber, IsInTheBaseUnit) {
  EXPECT_EQ(number({0, ValueSource::kCooked, TimeBase::kNone, 1}, one_value(7, 9)), 12.5);
  EXPECT_EQ(number({0, ValueSource::kCooked, TimeBase::kNone, 1024}, one_value(7, 9)), 12'800.0);
}

TEST(MetricValue_OfAnId, IsOneWhereThereIsAnId) {
  CountersetSample sample = one_value(0, 0);
  EXPECT_EQ(number({0, ValueSource::kId, TimeBase::kNone, 1}, sample), 1.0);
  sample.reason = {NoValue::kNotDelivered};
  EXPECT_EQ(number({0, ValueSource::kId, TimeBase::kNone, 1}, sample), std::nullopt);
}

TEST(MetricValue_ThatMarksTheUnknown, IsAbsent) {
  CountersetSample sample = one_value(0x7FFFFFFF, 1);
  sample.reason = {NoValue::kMarkedUnknown};
  for (const ValueSource source : {ValueSource::kRaw, ValueSource::kTotal, ValueSource::kCooked})
    EXPECT_EQ(number({0, source, TimeBase::kNone, 1}, sample), std::nullopt);
}

TEST(MetricValue_WithoutRawValue, IsAbsent) {
  CountersetSample sample = one_value(7, 1);
  sample.reason = {NoValue::kOutOfBlock};
  EXPECT_EQ(number({}, sample), std::nullopt);
}

TEST(MetricValue_WhoseCookedValueIsMissing, IsThere) {
  CountersetSample sample = one_value(7, 1);
  sample.reason = {NoValue::kFirstSample};
  EXPECT_EQ(number({}, sample), 7.0);
  EXPECT_EQ(number({0, ValueSource::kCooked, TimeBase::kNone, 1}, sample), std::nullopt);
}

TEST(MetricValue_OfFractionFactorAndDouble, IsComputed) {
  EXPECT_EQ(number({0, ValueSource::kRatio, TimeBase::kNone, 1}, one_value(25, 200)), 0.125);
  EXPECT_EQ(number({0, ValueSource::kRaw, TimeBase::kNone, 1024}, one_value(3, 0)), 3072.0);
  EXPECT_EQ(number({0, ValueSource::kBaseTotal, TimeBase::kNone, 1}, one_value(3, 9)), 9.0);
  EXPECT_EQ(number({0, ValueSource::kCooked, TimeBase::kNone, 1}, one_value(3, 9)), 12.5);
  const auto bits = std::bit_cast<std::uint64_t>(1.5);
  EXPECT_EQ(number({0, ValueSource::kRawDouble, TimeBase::kNone, 1}, one_value(bits, 0)), 1.5);
}

TEST(MetricValue_OfAStartTime, TakesAWallClockAsItIs) {
  CountersetSample sample = one_value(133707369666486855U, 0);
  sample.clocks.time_100ns = Ticks100ns{133716612800215149};
  sample.clocks.object_time = ObjectTicks{133716612800215149};
  sample.clocks.object_frequency = Frequency{10'000'000};
  const ValueRule rule{0, ValueSource::kStartTime, TimeBase::kObject, 1};
  EXPECT_NEAR(number(rule, sample).value(), 1726263366.6486855, 1e-6);
}

TEST(MetricValue_OfAStartTime, OnAnotherClockOf10MHzIsCountedBack) {
  CountersetSample sample = one_value(20'000'000, 0);
  sample.clocks.time_100ns = Ticks100ns{kUnixEpoch100ns + 1000 * 10'000'000LL};
  sample.clocks.object_time = ObjectTicks{50'000'000};
  sample.clocks.object_frequency = Frequency{10'000'000};
  const ValueRule rule{0, ValueSource::kStartTime, TimeBase::kObject, 1};
  EXPECT_NEAR(number(rule, sample).value(), 997.0, 1e-6);
}

TEST(MetricValue_OfAStartTime, OfWhatHasNotStartedIsAbsentOnEveryClock) {
  CountersetSample sample = one_value(0, 0);
  sample.clocks.perf_frequency = k100nsFrequency;
  sample.clocks.object_time = ObjectTicks{kSampledAt.ticks};
  sample.clocks.object_frequency = k100nsFrequency;
  for (const TimeBase clock : {TimeBase::kPerf, TimeBase::k100ns, TimeBase::kObject})
    EXPECT_EQ(number({0, ValueSource::kStartTime, clock, 1}, sample), std::nullopt);
  sample.raw = {1};
  for (const TimeBase clock : {TimeBase::kPerf, TimeBase::k100ns, TimeBase::kObject})
    EXPECT_TRUE(number({0, ValueSource::kStartTime, clock, 1}, sample));
}

// Started 100 s ago on the object's clock: that is what the result says if it is counted back. As a
// time of the wall clock it is earlier or later by what the two clocks differ.
TEST(MetricValue_OfAStartTime, IsTakenAsItIsOnlyIfFrequencyAndTimeAreTheWallClocks) {
  constexpr std::int64_t kSecond = 10'000'000;
  constexpr std::int64_t kDay = 86400 * kSecond;
  // A multiple of what a double of such a number of ticks can tell apart.
  constexpr std::int64_t kNow = kUnixEpoch100ns / 1024 * 1024 + 20'000 * kDay;
  constexpr std::int64_t kLittle = 1024;
  struct Row {
    std::int64_t frequency;
    std::int64_t ahead;  // of the object's clock
    bool is_wall_clock;
  };
  for (const Row& row :
       {Row{kSecond, 0, true}, Row{kSecond, kDay - kLittle, true},
        Row{kSecond, kLittle - kDay, true}, Row{kSecond, kDay, false}, Row{kSecond, -kDay, false},
        Row{kSecond / 2, 5 * kSecond, false}, Row{kSecond - 1, 5 * kSecond, false}}) {
    CountersetSample sample =
        one_value(static_cast<std::uint64_t>(kNow + row.ahead - 100 * row.frequency), 0);
    sample.clocks.time_100ns = Ticks100ns{kNow};
    sample.clocks.object_time = ObjectTicks{kNow + row.ahead};
    sample.clocks.object_frequency = Frequency{row.frequency};
    const double back = static_cast<double>(kNow - kUnixEpoch100ns) / 1e7 - 100;
    const double expected = row.is_wall_clock ? back + static_cast<double>(row.ahead) / 1e7 : back;
    EXPECT_NEAR(number({0, ValueSource::kStartTime, TimeBase::kObject, 1}, sample).value(),
                expected, 1e-4)
        << row.frequency << ' ' << row.ahead;
  }
}

}  // namespace
}  // namespace winperf
