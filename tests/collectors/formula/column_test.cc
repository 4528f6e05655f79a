// A column of many rows is cooked as each of its rows would be: also where one of them is too large
// for the way by which most are cooked several at once.
#include <gtest/gtest.h>

#include <array>
#include <iterator>
#include <optional>
#include <random>
#include <vector>

#include "tests/support/cook_cell.h"

namespace winperf {
namespace {

using testing::Measurement;

// On both sides of what is small enough: a growth below 2^52, a value below 2^63.
constexpr std::uint64_t kEdges[]{0,
                                 1,
                                 1'000,
                                 0x7FFF'FFFF,
                                 0x8000'0000,
                                 0xFFFF'FFFF,
                                 (1ull << 52) - 1,
                                 1ull << 52,
                                 (1ull << 52) + 1,
                                 (1ull << 63) - 1,
                                 1ull << 63,
                                 ~0ull};

constexpr std::uint32_t kCounterCounter = 0x10410400;
constexpr std::uint32_t kBulkCount = 0x10410500;
constexpr std::uint32_t kLargeRawCount = 0x00010100;
constexpr std::uint32_t kRawCount = 0x00010000;

const Clocks kBefore{{1'000}, {10'000'000}, {1'000}, {1'000}, {10'000'000}};
const Clocks kNow{{10'001'000}, {10'000'000}, {10'001'000}, {10'001'000}, {10'000'000}};

// One counter in two samples, with the raw values and bases of each.
struct Values {
  std::vector<std::uint64_t> before;
  std::vector<std::uint64_t> now;
  std::vector<std::uint64_t> base_before;
  std::vector<std::uint64_t> base_now;

  std::size_t rows() const { return now.size(); }
};

// Mostly small, as counters are; `bytes`: of a value.
Values some_values(std::size_t rows, std::uint8_t bytes, bool has_edges, std::mt19937_64& random) {
  const auto fit = [bytes](std::uint64_t value) {
    return bytes == sizeof(std::uint32_t) ? value & 0xFFFF'FFFF : value;
  };
  Values values;
  for (std::size_t row = 0; row < rows; ++row) {
    const std::uint64_t from = random() % 1'000'000;
    values.before.push_back(from);
    values.now.push_back(from + random() % 1'000'000);
    values.base_before.push_back(from / 2);
    values.base_now.push_back(from / 2 + random() % 1'000);
  }
  if (has_edges) {
    const std::size_t row = random() % rows;
    values.before[row] = fit(kEdges[random() % std::size(kEdges)]);
    values.now[row] = fit(random() % 2 == 0 ? kEdges[random() % std::size(kEdges)]
                                            : values.before[row] + kEdges[random() % 9]);
  }
  return values;
}

void expect_each_row(const CounterTypeInfo& type, std::uint8_t bytes, const Values& values) {
  static const RawReading kByType;
  const std::uint8_t base_bytes = type.base == BaseKind::kNone ? 0 : 8;
  const auto base_of = [&](const std::vector<std::uint64_t>& bases) {
    return base_bytes == 0 ? std::span<const std::uint64_t>() : std::span(bases);
  };
  std::vector<NoValue> reason(values.rows(), NoValue::kNone);
  const std::vector<NoValue> reason_before = reason;
  std::vector<double> cooked(values.rows());
  ColumnToCook column{
      .type = type,
      .reading = kByType,
      .value_bytes = bytes,
      .base_bytes = base_bytes,
      .now = {values.now, base_of(values.base_now), reason, {}, &kNow},
      .before = {values.before, base_of(values.base_before), reason_before, {}, &kBefore},
      .was_reset = {}};
  column.is_plain = is_plain(column);
  ColumnCooker::begin(column, cooked);
  ColumnCooker().cook(column, {}, cooked, reason);
  for (std::size_t row = 0; row < values.rows(); ++row) {
    const auto expected = testing::cook(
        type,
        Measurement{{values.before[row], values.base_before[row], bytes, base_bytes}, kBefore},
        {{values.now[row], values.base_now[row], bytes, base_bytes}, kNow});
    SCOPED_TRACE(::testing::Message() << type.name << " of " << int{bytes} << " bytes, row " << row
                                      << ": " << values.before[row] << ", " << values.now[row]);
    EXPECT_EQ(reason[row], expected ? NoValue::kNone : expected.error());
    EXPECT_EQ(cooked[row], expected.value_or(0));
  }
}

TEST(ColumnTest, EachRowIsCookedAsItWouldBeAlone) {
  std::mt19937_64 random(52);
  for (const CounterTypeInfo& type : known_counter_types())
    for (const std::uint8_t bytes : std::array<std::uint8_t, 2>{4, 8})
      for (std::size_t rows = 1; rows < 10; ++rows)
        for (int i = 0; i < 40; ++i)
          expect_each_row(type, bytes, some_values(rows, bytes, i % 2 == 0, random));
}

// What the first pass makes of a column: its values, or nothing.
std::optional<std::vector<double>> begun(std::uint32_t type, std::uint32_t bytes,
                                         const std::vector<std::uint64_t>& before,
                                         const std::vector<std::uint64_t>& now,
                                         const RawReading& reading = {}) {
  const std::vector<NoValue> reason(now.size(), NoValue::kNone);
  const CounterTypeInfo info = describe(CounterType{type});
  std::vector<double> cooked(now.size());
  ColumnToCook column{.type = info,
                      .reading = reading,
                      .value_bytes = bytes,
                      .now = {now, {}, reason, {}, &kNow},
                      .before = {before, {}, reason, {}, &kBefore},
                      .was_reset = {}};
  ColumnCooker::begin(column, cooked);
  EXPECT_EQ(column.never_fell, column.is_cooked && info.needs_previous);
  return column.is_cooked ? std::optional(cooked) : std::nullopt;
}

TEST(ColumnTest, WhatIsSmallIsCookedAtOnce) {
  const std::vector<std::uint64_t> before{1, 2, 3};
  EXPECT_TRUE(begun(kCounterCounter, 4, before, {1, 2, 4}));
  EXPECT_TRUE(begun(kCounterCounter, 4, before, {1, 2, 0xFFFF'FFFF}));
  EXPECT_FALSE(begun(kCounterCounter, 4, before, {1, 2, 2}));
  EXPECT_FALSE(begun(kCounterCounter, 4, before, {1, 2, std::uint64_t{1} << 53U}));
}

TEST(ColumnTest, TheFirstPassKnowsItsLimits) {
  using Values = std::vector<double>;
  constexpr std::uint64_t kTwoTo52 = std::uint64_t{1} << 52U;
  constexpr std::uint64_t kTwoTo63 = std::uint64_t{1} << 63U;
  const Values most{static_cast<double>(kTwoTo52 - 1)};
  EXPECT_EQ(begun(kBulkCount, 8, {0}, {kTwoTo52 - 1}), most);
  EXPECT_EQ(begun(kBulkCount, 8, {0}, {kTwoTo52}), std::nullopt);
  EXPECT_EQ(begun(kBulkCount, 8, {~std::uint64_t{0}}, {0}), std::nullopt);
  EXPECT_EQ(begun(kBulkCount, 8, {kTwoTo63 - 1}, {kTwoTo63}), Values{1});
  EXPECT_EQ(begun(kBulkCount, 8, {kTwoTo63}, {kTwoTo63 + 1}), std::nullopt);
  EXPECT_EQ(begun(kLargeRawCount, 8, {0}, {kTwoTo52 - 1}), most);
  EXPECT_EQ(begun(kLargeRawCount, 8, {0}, {kTwoTo52}), std::nullopt);
  EXPECT_EQ(begun(kRawCount, 4, {0}, {0xFFFF'FFFF}), Values{4294967295.0});
}

TEST(ColumnTest, TheFirstPassLeavesNegativeNumbersToTheSecond) {
  const RawReading has_sign{.is_signed = true, .unknown = {}};
  EXPECT_TRUE(begun(kRawCount, 4, {0}, {0x7FFF'FFFF}, has_sign));
  EXPECT_FALSE(begun(kRawCount, 4, {0}, {0x8000'0000}, has_sign));
}

}  // namespace
}  // namespace winperf
