#include "collectors/model/counter_type.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <set>
#include <string>
#include <string_view>
#include <utility>

namespace winperf {
namespace {

constexpr std::uint32_t kDelta = 0x0040'0000, kInverse = 0x0100'0000, kMulti = 0x0200'0000;

bool is_average(Formula formula) {
  return formula == Formula::kAverageTimer || formula == Formula::kAverageBulk;
}

TEST(CounterTypes, AreSortedAndUnique) {
  const auto types = known_counter_types();
  EXPECT_EQ(types.size(), 41u);
  EXPECT_EQ(std::ranges::adjacent_find(types, std::ranges::greater_equal(), &CounterTypeInfo::type),
            types.end());
}

// As winperf.h has them; under Windows, tests/formula_pdh compares them with that file.
TEST(CounterTypes, HaveTheNumbersOfWindows) {
  constexpr std::pair<std::uint32_t, std::string_view> kNumbers[] = {
      {0x00000000, "PERF_COUNTER_RAWCOUNT_HEX"},
      {0x00000100, "PERF_COUNTER_LARGE_RAWCOUNT_HEX"},
      {0x00000B00, "PERF_COUNTER_TEXT"},
      {0x00010000, "PERF_COUNTER_RAWCOUNT"},
      {0x00010100, "PERF_COUNTER_LARGE_RAWCOUNT"},
      {0x00012000, "PERF_DOUBLE_RAW"},
      {0x00400400, "PERF_COUNTER_DELTA"},
      {0x00400500, "PERF_COUNTER_LARGE_DELTA"},
      {0x00410400, "PERF_SAMPLE_COUNTER"},
      {0x00450400, "PERF_COUNTER_QUEUELEN_TYPE"},
      {0x00450500, "PERF_COUNTER_LARGE_QUEUELEN_TYPE"},
      {0x00550500, "PERF_COUNTER_100NS_QUEUELEN_TYPE"},
      {0x00650500, "PERF_COUNTER_OBJ_TIME_QUEUELEN_TYPE"},
      {0x10410400, "PERF_COUNTER_COUNTER"},
      {0x10410500, "PERF_COUNTER_BULK_COUNT"},
      {0x20020400, "PERF_RAW_FRACTION"},
      {0x20020500, "PERF_LARGE_RAW_FRACTION"},
      {0x20410500, "PERF_COUNTER_TIMER"},
      {0x20470500, "PERF_PRECISION_SYSTEM_TIMER"},
      {0x20510500, "PERF_100NSEC_TIMER"},
      {0x20570500, "PERF_PRECISION_100NS_TIMER"},
      {0x20610500, "PERF_OBJ_TIME_TIMER"},
      {0x20670500, "PERF_PRECISION_OBJECT_TIMER"},
      {0x20C20400, "PERF_SAMPLE_FRACTION"},
      {0x21410500, "PERF_COUNTER_TIMER_INV"},
      {0x21510500, "PERF_100NSEC_TIMER_INV"},
      {0x22410500, "PERF_COUNTER_MULTI_TIMER"},
      {0x22510500, "PERF_100NSEC_MULTI_TIMER"},
      {0x23410500, "PERF_COUNTER_MULTI_TIMER_INV"},
      {0x23510500, "PERF_100NSEC_MULTI_TIMER_INV"},
      {0x30020400, "PERF_AVERAGE_TIMER"},
      {0x30240500, "PERF_ELAPSED_TIME"},
      {0x40000200, "PERF_COUNTER_NODATA"},
      {0x40020500, "PERF_AVERAGE_BULK"},
      {0x40030401, "PERF_SAMPLE_BASE"},
      {0x40030402, "PERF_AVERAGE_BASE"},
      {0x40030403, "PERF_RAW_BASE"},
      {0x40030500, "PERF_LARGE_RAW_BASE"},
      {0x40030503, "PERF_LARGE_RAW_BASE"},
      {0x42030500, "PERF_COUNTER_MULTI_BASE"},
      {0x80000000, "PERF_COUNTER_HISTOGRAM_TYPE"},
  };
  const auto types = known_counter_types();
  ASSERT_EQ(types.size(), std::size(kNumbers));
  for (std::size_t i = 0; i < types.size(); ++i) {
    EXPECT_EQ(types[i].name, kNumbers[i].second);
    EXPECT_EQ(value_of(types[i].type), kNumbers[i].first) << types[i].name;
  }
}

TEST(CounterTypes, AreDescribedByTheirRowOfTheTable) {
  for (const CounterTypeInfo& row : known_counter_types()) {
    const CounterTypeInfo info = describe(row.type);
    EXPECT_EQ(info.name, row.name);
    EXPECT_EQ(info.formula, row.formula) << row.name;
    EXPECT_EQ(to_string(row.type), row.name);
  }
}

// The formula was chosen by name; the bits of the header have to agree with it.
TEST(CounterTypes, HaveTheFormulaThatTheirBitsAnnounce) {
  for (const CounterTypeInfo& type : known_counter_types()) {
    const std::uint32_t bits = value_of(type.type);
    const bool cooked = type.formula != Formula::kNone;
    EXPECT_EQ(type.needs_previous, (bits & kDelta) != 0 || is_average(type.formula)) << type.name;
    EXPECT_EQ(type.percent, bits >> 28 == 2) << type.name;
    EXPECT_EQ(type.suffix == "%", type.percent) << type.name;
    EXPECT_EQ(type.inverse,
              type.formula == Formula::kTimerInverse || type.formula == Formula::kMultiTimerInverse)
        << type.name;
    EXPECT_EQ(type.multi && !type.is_base, type.base == BaseKind::kMulti) << type.name;
    EXPECT_EQ(text_of(type.formula).empty(), !cooked) << type.name;
    const auto clock = static_cast<std::uint32_t>(type.time_base);
    EXPECT_TRUE(clock == 0 || clock - 1 == (bits >> 20 & 3)) << type.name;
  }
}

TEST(CounterTypes, AreCookedAndExposedUnlessTheyAreBasesOrNoNumbers) {
  const std::set<std::string_view> no_numbers{"PERF_COUNTER_TEXT", "PERF_COUNTER_NODATA",
                                              "PERF_COUNTER_HISTOGRAM_TYPE"};
  for (const CounterTypeInfo& type : known_counter_types()) {
    const bool number = !type.is_base && !no_numbers.contains(type.name);
    EXPECT_EQ(type.formula != Formula::kNone, number) << type.name;
    EXPECT_EQ(type.exposition != Exposition::kNone, number) << type.name;
    EXPECT_EQ(type.exposition == Exposition::kCounter, type.needs_previous) << type.name;
  }
}

TEST(CounterTypes, OutsideTheTableAreDecodedFromTheirBits) {
  const CounterTypeInfo rate = describe(CounterType{0x10510500});  // a rate on the 100 ns clock
  EXPECT_TRUE(rate.name.empty());
  EXPECT_EQ(rate.formula, Formula::kRate);
  EXPECT_EQ(rate.time_base, TimeBase::k100ns);
  EXPECT_EQ(rate.suffix, "/sec");
  EXPECT_EQ(to_string(rate.type), "0x10510500");

  const CounterTypeInfo timer = describe(CounterType{0x23610400});
  EXPECT_EQ(timer.formula, Formula::kMultiTimerInverse);
  EXPECT_EQ(timer.time_base, TimeBase::kObject);
  EXPECT_EQ(timer.base, BaseKind::kMulti);
  EXPECT_EQ(timer.raw_bytes, 4);
  EXPECT_TRUE(timer.inverse && timer.multi && timer.percent && timer.needs_previous);
}

TEST(CounterTypes, WhoseBitsDoNotSayHowToCookThemKeepTheirRawValue) {
  const std::uint32_t types[]{
      0x00060500,  // a counter of the subtype histogram
      0x00020000,  // a number to be shown in thousands
      0x00410000,  // a number with the delta flag, which counters have
      0x10710500,  // a rate on a clock that is not defined
      0x10411500,  // reserved bits
      0x10410501,  // the ordinal of a base
      0x30120400,  // an average timer in 100 ns
      0x80000100,  // a histogram of 8 bytes
  };
  for (const std::uint32_t type : types) {
    const CounterTypeInfo info = describe(CounterType{type});
    EXPECT_EQ(info.formula, Formula::kNone) << to_string(info.type);
    EXPECT_EQ(info.exposition, Exposition::kGauge) << to_string(info.type);
    EXPECT_FALSE(info.is_base) << to_string(info.type);
  }
}

TEST(CounterTypes, WithoutANumberAreNotExposed) {
  const std::uint32_t types[]{
      0x00010B00,  // text in ASCII
      0x00000900,  // text of 8 bytes
      0x00000C00,  // the kind "zero"
      0x10410700,  // a counter of variable length
      0x10410600,  // a counter without bytes
      0x40030507,  // a base of an unknown kind
  };
  for (const std::uint32_t type : types) {
    EXPECT_EQ(describe(CounterType{type}).exposition, Exposition::kNone) << std::hex << type;
    EXPECT_EQ(describe(CounterType{type}).formula, Formula::kNone) << std::hex << type;
  }
}

TEST(CounterTypes, AreNumbersUnlessTheirSizeOrTheirKindSaysOtherwise) {
  for (const std::uint32_t type : {0x00000000U, 0x00010100U, 0x00012000U, 0x10410500U, 0x42030500U})
    EXPECT_TRUE(is_numeric(CounterType{type})) << std::hex << type;
  for (const std::uint32_t type :
       {0x00000200U, 0x10410700U, 0x00000800U, 0x00000900U, 0x00000B00U, 0x00000C00U, 0x00000D00U})
    EXPECT_FALSE(is_numeric(CounterType{type})) << std::hex << type;
}

// Nothing, a sentence, where the description contradicts itself.
std::string contradiction(const CounterTypeInfo& info, std::uint32_t bits) {
  const bool cooked = info.formula != Formula::kNone;
  if (value_of(info.type) != bits) return "another type";
  if (info.is_base != ((bits & 0x000F'0C00) == 0x0003'0400)) return "base";
  if (info.is_base && (cooked || info.exposition != Exposition::kNone)) return "base as a value";
  if (info.inverse != ((bits & kInverse) != 0)) return "inverse";
  if (info.multi != ((bits & kMulti) != 0)) return "multi";
  if (!cooked && (info.needs_previous || info.percent)) return "samples of nothing";
  if (!cooked && info.base != BaseKind::kNone) return "base of nothing";
  if (!cooked && info.exposition == Exposition::kCounter) return "counter that nobody understands";
  if (cooked && info.exposition == Exposition::kNone) return "cooked but not exposed";
  if (cooked && info.raw_bytes != 4 && info.raw_bytes != 8) return "cooked without bytes";
  if (info.needs_previous != (info.exposition == Exposition::kCounter)) return "exposition";
  if (info.percent != text_of(info.formula).starts_with("100 *")) return "percent";
  const bool in_ticks = info.unit != RawUnit::kNumber && info.unit != RawUnit::kRatio;
  if (in_ticks && info.time_base == TimeBase::kNone) return "ticks without a clock";
  if (info.unit == RawUnit::kPerfTicks && info.time_base != TimeBase::kPerf) return "clock";
  return {};
}

TEST(CounterTypes, AreDescribedWithoutContradictionWhateverTheirBits) {
  int cooked = 0;
  for (std::uint32_t high = 0; high < 0x1'0000; ++high) {
    for (std::uint32_t low = 0; low < 0x10; ++low) {
      for (const std::uint32_t rest : {0x0000u, 0x0003u, 0x2000u}) {
        const std::uint32_t bits = high << 16 | low << 8 | rest;
        const CounterTypeInfo info = describe(CounterType{bits});
        ASSERT_EQ(contradiction(info, bits), "") << std::hex << bits;
        cooked += info.formula == Formula::kNone ? 0 : 1;
      }
    }
  }
  EXPECT_GT(cooked, 500);
}

TEST(Bases, AreAcceptedByTheirTypeAlone) {
  EXPECT_TRUE(is_base_of(BaseKind::kRaw, CounterType{0x40030403}));
  EXPECT_TRUE(is_base_of(BaseKind::kRaw, CounterType{0x40030500}));
  EXPECT_TRUE(is_base_of(BaseKind::kRaw, CounterType{0x40030503})) << "the other value in use";
  EXPECT_TRUE(is_base_of(BaseKind::kAverage, CounterType{0x40030402}));
  EXPECT_TRUE(is_base_of(BaseKind::kAverage, CounterType{0x40030502})) << "of 8 bytes";
  EXPECT_TRUE(is_base_of(BaseKind::kSample, CounterType{0x40030401}));
  EXPECT_TRUE(is_base_of(BaseKind::kMulti, CounterType{0x42030500}));
  EXPECT_FALSE(is_base_of(BaseKind::kRaw, CounterType{0x42030500}));
  EXPECT_FALSE(is_base_of(BaseKind::kRaw, CounterType{0x40030400})) << "4 bytes, no ordinal";
  EXPECT_FALSE(is_base_of(BaseKind::kRaw, CounterType{0x40030501})) << "8 bytes of a sample's";
  EXPECT_FALSE(is_base_of(BaseKind::kRaw, CounterType{0x40030502})) << "8 bytes of an average's";
  EXPECT_FALSE(is_base_of(BaseKind::kMulti, CounterType{0x40030500}));
  EXPECT_FALSE(is_base_of(BaseKind::kAverage, CounterType{0x40030403}));
  EXPECT_FALSE(is_base_of(BaseKind::kSample, CounterType{0x40030402}));
  EXPECT_FALSE(is_base_of(BaseKind::kRaw, CounterType{0x00010000}));
}

TEST(Bases, ServeExactlyOneKind) {
  const BaseKind kinds[]{BaseKind::kSample, BaseKind::kAverage, BaseKind::kRaw, BaseKind::kMulti};
  for (const CounterTypeInfo& type : known_counter_types()) {
    EXPECT_EQ(
        std::ranges::count_if(kinds, [&](BaseKind kind) { return is_base_of(kind, type.type); }),
        type.is_base ? 1 : 0)
        << type.name;
    EXPECT_FALSE(is_base_of(BaseKind::kNone, type.type)) << type.name;
  }
}

}  // namespace
}  // namespace winperf
