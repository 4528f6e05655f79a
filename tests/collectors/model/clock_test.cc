#include "collectors/model/clock.h"

#include <gtest/gtest.h>

#include <limits>
#include <type_traits>

namespace winperf {
namespace {

constexpr std::int64_t kLowest = std::numeric_limits<std::int64_t>::min();
constexpr std::int64_t kHighest = std::numeric_limits<std::int64_t>::max();

static_assert(!std::is_same_v<PerfTicks, Ticks100ns>);
static_assert(!std::is_convertible_v<PerfTicks, ObjectTicks>);

TEST(Elapsed, CountsTicksForward) {
  EXPECT_EQ(elapsed(PerfTicks{5}, PerfTicks{12}), 7U);
  EXPECT_EQ(elapsed(PerfTicks{5}, PerfTicks{5}), 0U);
}

TEST(Elapsed, BackwardsIsNothing) {
  EXPECT_EQ(elapsed(PerfTicks{5}, PerfTicks{4}), std::nullopt);
  EXPECT_EQ(elapsed(PerfTicks{kHighest}, PerfTicks{kLowest}), std::nullopt);
}

TEST(Elapsed, TheWholeRangeDoesNotOverflow) {
  EXPECT_EQ(elapsed(PerfTicks{kLowest}, PerfTicks{kHighest}),
            std::numeric_limits<std::uint64_t>::max());
  EXPECT_EQ(elapsed(PerfTicks{-1}, PerfTicks{1}), 2U);
}

TEST(Frequency, OnlyPositiveOnesAreValid) {
  EXPECT_TRUE(k100nsFrequency.valid());
  EXPECT_TRUE(Frequency{1}.valid());
  EXPECT_FALSE(Frequency{0}.valid());
  EXPECT_FALSE(Frequency{-1}.valid());
  EXPECT_FALSE(Frequency{kLowest}.valid());
}

}  // namespace
}  // namespace winperf
