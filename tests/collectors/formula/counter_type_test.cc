#include "collectors/model/counter_type.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <sstream>

namespace winperf {
namespace {

TEST(CounterTypes, AreSortedAndUnique) {
  const auto types = known_counter_types();
  EXPECT_EQ(std::ranges::adjacent_find(types, std::ranges::greater_equal(), &CounterTypeInfo::type),
            types.end());
}

TEST(CounterTypes, OfTheTableAreDescribedByTheirRow) {
  const CounterTypeInfo inverse = describe(CounterType{0x21510500});
  EXPECT_EQ(inverse.name, "PERF_100NSEC_TIMER_INV");
  EXPECT_EQ(inverse.formula, Formula::kTimerInverse);
  EXPECT_EQ(inverse.time_base, TimeBase::k100ns);
  EXPECT_TRUE(inverse.inverse && inverse.percent && inverse.needs_previous);
  EXPECT_EQ(inverse.suffix, "%");
  EXPECT_EQ(inverse.raw_bytes, 8);

  const CounterTypeInfo average = describe(CounterType{0x40020500});
  EXPECT_TRUE(average.needs_previous) << "although it lacks the DELTA flag";
  EXPECT_EQ(average.base, BaseKind::kAverage);
  EXPECT_TRUE(describe(CounterType{0x40030500}).is_base);
  EXPECT_FALSE(describe(CounterType{0x30240500}).needs_previous);
}

TEST(CounterTypes, OutsideTheTableAreDecodedFromTheirBits) {
  const CounterTypeInfo rate = describe(CounterType{0x10510500});  // a rate on the 100 ns clock
  EXPECT_TRUE(rate.name.empty());
  EXPECT_EQ(rate.formula, Formula::kRate);
  EXPECT_EQ(rate.time_base, TimeBase::k100ns);
  EXPECT_EQ(to_string(rate.type), "0x10510500");
  const CounterTypeInfo strange = describe(CounterType{0x00060500});  // a histogram subtype
  EXPECT_EQ(strange.formula, Formula::kNone);
  EXPECT_EQ(strange.exposition, Exposition::kGauge) << "the raw value is still a number";
}

TEST(CounterTypes, SweepOfTheBitFieldsIsConsistent) {
  for (std::uint32_t high = 0; high < 0x1000; ++high) {
    for (std::uint32_t low = 0; low < 0x10; ++low) {
      const CounterTypeInfo type = describe(CounterType{(high << 16) | (low << 8)});
      if (type.is_base) {
        ASSERT_EQ(type.formula, Formula::kNone);
      }
      if (type.exposition == Exposition::kCounter) {
        ASSERT_TRUE(type.needs_previous);
      }
      if (type.unit == RawUnit::kTicksOfTimeBase) {
        ASSERT_NE(type.time_base, TimeBase::kNone);
      }
      if (type.multi && type.needs_previous && type.percent &&
          (type.formula == Formula::kMultiTimer || type.formula == Formula::kMultiTimerInverse)) {
        ASSERT_EQ(type.base, BaseKind::kMulti);
      }
    }
  }
}

TEST(Bases, AreAcceptedByTheirTypeAlone) {
  EXPECT_TRUE(is_base_of(BaseKind::kRaw, CounterType{0x40030403}));
  EXPECT_TRUE(is_base_of(BaseKind::kRaw, CounterType{0x40030500}));
  EXPECT_TRUE(is_base_of(BaseKind::kRaw, CounterType{0x40030503})) << "the other value in use";
  EXPECT_TRUE(is_base_of(BaseKind::kAverage, CounterType{0x40030402}));
  EXPECT_TRUE(is_base_of(BaseKind::kMulti, CounterType{0x42030500}));
  EXPECT_FALSE(is_base_of(BaseKind::kRaw, CounterType{0x42030500}));
  EXPECT_FALSE(is_base_of(BaseKind::kAverage, CounterType{0x40030403}));
  EXPECT_FALSE(is_base_of(BaseKind::kRaw, CounterType{0x00010000}));
  EXPECT_FALSE(is_base_of(BaseKind::kNone, CounterType{0x40030403}));
}

TEST(CounterTypesDocument, HasARowForEachType) {
  std::ifstream file(WINPERF_SOURCE_DIR "/docs/counter-types.md");
  std::stringstream text;
  text << file.rdbuf();
  for (const CounterTypeInfo& type : known_counter_types()) {
    char value[16];
    std::snprintf(value, sizeof value, "0x%08X", value_of(type.type));
    const std::string row = "| " + std::string(type.name) + " | " + value + " | ";
    EXPECT_NE(text.str().find(row), std::string::npos) << "no row: " << row;
  }
}

}  // namespace
}  // namespace winperf
