#include "collectors/model/raw_reading.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>
#include <tuple>
#include <utility>

#include "collectors/base/ascii.h"
#include "collectors/model/sample.h"

namespace winperf {
namespace {

constexpr std::uint64_t kMinus1 = 0xFFFF'FFFF'FFFF'FFFF;

std::optional<std::int64_t> negative(std::uint32_t type, std::uint64_t raw, std::uint32_t bytes,
                                     bool is_signed = false) {
  return negative_of(describe(CounterType{type}), {.is_signed = is_signed}, raw, bytes);
}

TEST(RawReading, RawCountsOf8BytesHaveASign) {
  for (const std::uint32_t type : {0x0001'0100U, 0x0001'0000U, 0x3001'0000U}) {
    EXPECT_EQ(negative(type, kMinus1, 8), -1) << type;
    EXPECT_EQ(negative(type, 0x8000'0000'0000'0000, 8), INT64_MIN) << type;
    EXPECT_EQ(negative(type, 0x7FFF'FFFF'FFFF'FFFF, 8), std::nullopt) << type;
    EXPECT_EQ(negative(type, 0xFFFF'FFFF, 8), std::nullopt) << type;
    EXPECT_EQ(negative(type, 0, 8), std::nullopt) << type;
  }
}

TEST(RawReading, RawCountsOf4BytesHaveOneOnlyIfTheirNameSaysSo) {
  EXPECT_EQ(negative(0x0001'0000, 0xFFFF'FFFF, 4), std::nullopt);
  EXPECT_EQ(negative(0x0001'0000, 0x8000'0000, 4), std::nullopt);
  EXPECT_EQ(negative(0x0001'0000, 0xFFFF'FFFF, 4, true), -1);
  EXPECT_EQ(negative(0x0001'0000, 0x8000'0000, 4, true), INT32_MIN);
  EXPECT_EQ(negative(0x0001'0000, 0x7FFF'FFFF, 4, true), std::nullopt);
}

TEST(RawReading, HexadecimalNumbersNeverHaveOne) {
  for (const std::uint32_t type : {0x0000'0000U, 0x0000'0100U, 0x4000'0100U})
    for (const std::uint32_t bytes : {4U, 8U})
      EXPECT_EQ(negative(type, kMinus1, bytes, true), std::nullopt) << type;
}

// Rates, timers, fractions, bases, doubles, and what nobody knows.
TEST(RawReading, WhatIsNoRawCountHasNone) {
  for (const CounterTypeInfo& info : known_counter_types())
    if (info.formula != Formula::kRaw) {
      EXPECT_EQ(negative_of(info, {.is_signed = true}, kMinus1, 8), std::nullopt) << info.name;
    }
  EXPECT_EQ(negative(0x1041'2500, kMinus1, 8, true), std::nullopt);
}

TEST(RawReading, TheTableNamesEachFactOnceWithItsSource) {
  std::set<std::tuple<std::string, std::string, std::uint8_t, int, std::uint64_t>> seen;
  for (const KnownReading& row : known_readings()) {
    EXPECT_TRUE(row.bytes == 4 || row.bytes == 8) << row.counter;
    EXPECT_LE(row.value, row.bytes == 4 ? 0xFFFF'FFFFU : kMinus1) << row.counter;
    EXPECT_FALSE(row.source.empty()) << row.counter;
    EXPECT_TRUE(seen.emplace(ascii_lower(row.object), ascii_lower(row.counter), row.bytes,
                             static_cast<int>(row.fact), row.value)
                    .second)
        << row.counter;
    const RawReading reading = reading_of(row.object, row.counter, row.bytes);
    const bool marks = row.fact == KnownReading::Fact::kUnknown;
    const bool is_mark = std::ranges::find(reading.unknown, row.value) != reading.unknown.end();
    EXPECT_TRUE(marks ? is_mark : reading.is_signed) << row.counter;
  }
}

TEST(RawReading, AppliesToTheNamedCounterOfItsObjectAndWidth) {
  EXPECT_FALSE(reading_of("network interface", "CURRENT BANDWIDTH", 8).unknown.empty());
  for (const auto& [object, counter] : {std::pair{"Memory", "Current Bandwidth"},
                                        std::pair{"Network Interface", "Output Queue Length"},
                                        std::pair{"Memory", "Available Bytes"}}) {
    EXPECT_EQ(reading_of(object, counter, 4), RawReading{}) << object << counter;
    EXPECT_EQ(reading_of(object, counter, 8), RawReading{}) << object << counter;
  }
  const auto four = reading_of("Network Interface", "Current Bandwidth", 4).unknown;
  EXPECT_EQ(four, std::vector<std::uint64_t>{0xFFFF'FFFF}) << "8 bytes express 4.29 Gbit/s";
}

TEST(RawReading, IsLookedUpForEachCounterOfASchema) {
  CountersetSchema schema;
  schema.name = "Network Adapter";
  schema.counters.resize(2);
  for (CounterSchema& counter : schema.counters) counter.size = 8;
  schema.counters[0].name = "Current Bandwidth";
  schema.counters[1].name = "Packets/sec";
  read_by_names(schema);
  EXPECT_FALSE(schema.counters[0].reading.unknown.empty());
  EXPECT_EQ(schema.counters[1].reading, RawReading{});
}

TEST(RawReading, ARawValueAsTextHasItsSign) {
  CounterSchema counter;
  counter.type = CounterType{0x0001'0100};
  counter.size = 8;
  EXPECT_EQ(raw_text(counter, kMinus1), "-1");
  EXPECT_EQ(raw_text(counter, 7), "7");
  counter.type = CounterType{0x0000'0100};
  EXPECT_EQ(raw_text(counter, kMinus1), "18446744073709551615");
}

}  // namespace
}  // namespace winperf
