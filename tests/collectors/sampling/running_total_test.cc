#include "collectors/sampling/totals.h"

#include <gtest/gtest.h>

#include <array>

#include "collectors/model/sample.h"

namespace winperf {
namespace {

const CounterTypeInfo kRate32 = describe(CounterType{0x10410400});
const CounterTypeInfo kDelta32 = describe(CounterType{0x00400400});
const CounterTypeInfo kGauge32 = describe(CounterType{0x00010000});

// What a sample has as the total of a counter with this total and these raw values.
struct TotalOf {
  CountersetSchema schema;
  std::shared_ptr<const SampleLayout> layout;
  Clocks clocks;
  std::array<std::uint64_t, 1> before{};
  std::array<std::uint64_t, 1> now{};
  std::array<NoValue, 1> reason{NoValue::kNone};

  TotalOf(const CounterTypeInfo& type, std::uint8_t bytes) {
    CounterSchema& counter = schema.counters.emplace_back();
    counter.type = type.type;
    counter.size = bytes;
    counter.has_base = true;
    counter.base_size = bytes;
    layout = layout_of(schema);
  }
  ColumnToCook column(bool continues) const {
    const CounterSchema& counter = schema.counters[0];
    return {.type = layout->columns[0].type,
            .reading = counter.reading,
            .value_bytes = counter.size,
            .base_bytes = counter.size,
            .now = {now, now, reason, {}, &clocks},
            .before = continues ? RawColumn{before, before, reason, {}, &clocks} : RawColumn{},
            .type_changed = false,
            .was_reset = {}};
  }
};

std::uint64_t first_total(const CounterTypeInfo& type, std::uint64_t raw) {
  TotalOf of(type, 4);
  of.now = {raw};
  std::array<std::uint64_t, 1> total{raw};
  if (of.layout->columns[0].total != SampleLayout::kNone)
    continue_totals(of.column(false), {}, total);
  return total[0];
}

std::uint64_t next_total(const CounterTypeInfo& type, std::uint64_t previous_total,
                         std::uint64_t previous_raw, std::uint64_t raw, std::uint8_t bytes) {
  TotalOf of(type, bytes);
  of.before = {previous_raw};
  of.now = {raw};
  std::array<std::uint64_t, 1> total{raw};
  if (of.layout->columns[0].total != SampleLayout::kNone)
    continue_totals(of.column(true), std::array{previous_total}, total);
  return total[0];
}

std::uint64_t next_base_total(const CounterTypeInfo& type, std::uint64_t previous_total,
                              std::uint64_t previous_raw, std::uint64_t raw, std::uint8_t bytes) {
  TotalOf of(type, bytes);
  of.before = {previous_raw};
  of.now = {raw};
  std::array<std::uint64_t, 1> total{raw};
  if (of.layout->columns[0].base_total != SampleLayout::kNone)
    continue_base_totals(of.column(true), std::array{previous_total}, total);
  return total[0];
}

TEST(RunningTotal, GoesOnAcrossA32BitWrap) {
  EXPECT_EQ(next_total(kRate32, 0xFFFFFFF0, 0xFFFFFFF0, 0x10, 4), 0x100000010u);
  EXPECT_EQ(next_total(kRate32, 0x1FFFFFFF0, 0xFFFFFFF0, 0x10, 4), 0x200000010u);
}

TEST(RunningTotal, StartsAnewAfterAReset) {
  EXPECT_EQ(next_total(kRate32, 0x100000000 + 2'000'000, 2'000'000, 5, 4), 5u);
  EXPECT_EQ(next_total(kRate32, 900, 900, 7, 8), 7u);
}

TEST(RunningTotal, GrowsByWhatA64BitCounterGrew) {
  EXPECT_EQ(next_total(kRate32, 900, 900, 1000, 8), 1000u);
}

TEST(RunningTotal, IsTheRawValueOfAGauge) {
  EXPECT_EQ(first_total(kGauge32, 42), 42u);
  EXPECT_EQ(next_total(kGauge32, 42, 42, 7, 4), 7u);
}

TEST(RunningTotal, SumsUpDeltasFromZero) {
  EXPECT_EQ(first_total(kDelta32, 1000), 0u);
  EXPECT_EQ(next_total(kDelta32, 0, 1000, 1060, 4), 60u);
  EXPECT_EQ(next_total(kDelta32, 60, 1060, 1061, 4), 61u);
}

TEST(RunningTotal, OfDeltasStartsFromZeroAgainAfterAReset) {
  EXPECT_EQ(next_total(kDelta32, 60, 2'000'000'000, 5, 4), 0u);
  EXPECT_EQ(next_total(kDelta32, 60, 1'000, 5, 8), 0u);
}

TEST(RunningTotal, OfDeltasGoesOnAcrossA32BitWrap) {
  EXPECT_EQ(next_total(kDelta32, 60, 0xFFFFFFF0, 0x10, 4), 60u + 0x20);
}

TEST(RunningTotal, StartsFromTheRawValue) { EXPECT_EQ(first_total(kRate32, 1'000), 1'000u); }

TEST(RunningTotal, OfAGaugesBaseIsItsRawValue) {
  const CounterTypeInfo fraction = describe(CounterType{0x20020400});
  EXPECT_EQ(next_base_total(fraction, 0xFFFFFFFF, 0xFFFFFFFF, 3, 4), 3u) << "it may fall";
  EXPECT_EQ(next_base_total(fraction, 500, 100, 120, 4), 120u);
}

TEST(RunningTotal, ABaseIsNeverSummedUpAsADelta) {
  EXPECT_EQ(next_base_total(kDelta32, 1'000, 1'000, 1'060, 4), 1'060u);
  EXPECT_EQ(next_base_total(kDelta32, 1'000, 2'000'000'000, 5, 4), 5u);
}

TEST(RunningTotal, ExtendsTheBaseByItsOwnWidth) {
  const CounterTypeInfo average = describe(CounterType{0x40020500});
  EXPECT_EQ(next_base_total(average, 0xFFFFFFFF, 0xFFFFFFFF, 3, 4), 0x100000003u);
}

}  // namespace
}  // namespace winperf
