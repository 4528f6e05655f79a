#include <gtest/gtest.h>

#include "collectors/formula/cook.h"

namespace winperf {
namespace {

constexpr std::uint64_t kWrap = 0x1'0000'0000;
constexpr std::uint64_t kHalf = 0x8000'0000;

TEST(Growth, IsRightForEveryPairAroundTheWrap) {
  for (std::uint64_t from = kWrap - 300; from < kWrap + 300; ++from) {
    for (std::uint64_t to = from; to < kWrap + 300; ++to) {
      const auto step = growth(from % kWrap, to % kWrap, 4, NoValue::kCounterReset);
      ASSERT_TRUE(step) << from << " to " << to;
      ASSERT_EQ(*step, to - from);
    }
  }
}

TEST(Growth, TellsAWrapFromAResetByHalfTheRange) {
  const std::uint64_t around[]{0, 1, 2, kHalf - 1, kHalf, kHalf + 1, kWrap - 2, kWrap - 1};
  for (const std::uint64_t from : around) {
    for (const std::uint64_t distance : {kHalf - 1, kHalf, kHalf + 1}) {
      const bool wraps = from + distance >= kWrap;
      const auto step = growth(from, (from + distance) % kWrap, 4, NoValue::kBaseReset);
      if (wraps && distance >= kHalf) {
        EXPECT_EQ(step, std::unexpected(NoValue::kBaseReset)) << from << " + " << distance;
      } else {
        EXPECT_EQ(step, distance) << from << " + " << distance;
      }
    }
  }
}

TEST(Growth, OfACounterThatDidNotGoBackwardsIsNeverAReset) {
  EXPECT_EQ(growth(0, kWrap - 1, 4, NoValue::kCounterReset), kWrap - 1);
  EXPECT_EQ(growth(0, ~0ull, 8, NoValue::kCounterReset), ~0ull);
}

TEST(Growth, Of64BitsThatWentBackwardsIsAReset) {
  EXPECT_EQ(growth(~0ull, 0, 8, NoValue::kCounterReset), std::unexpected(NoValue::kCounterReset));
  EXPECT_EQ(growth(2, 1, 8, NoValue::kBaseReset), std::unexpected(NoValue::kBaseReset));
}

TEST(Growth, IsExactBeyond53Bits) {
  constexpr std::uint64_t kLarge = (1ull << 60) + 1;
  EXPECT_EQ(growth(kLarge, kLarge + 1, 8, NoValue::kCounterReset), 1u);
  EXPECT_EQ(growth(1, kLarge, 8, NoValue::kCounterReset), 1ull << 60);
}

}  // namespace
}  // namespace winperf
