#include "service/run/threads.h"

#include <gtest/gtest.h>

namespace winperf {
namespace {

constexpr Watchdog::Time kBegun{std::chrono::hours(1)};
constexpr Watchdog::Time::duration kTick{1};
constexpr std::chrono::seconds kLimit{60};

TEST(Watchdog, IsNotStuckWhileNothingHasBegun) {
  const Watchdog watchdog;
  EXPECT_FALSE(watchdog.is_stuck(kBegun, kLimit));
  EXPECT_FALSE(watchdog.is_stuck(Watchdog::Time::max(), kLimit));
}

TEST(Watchdog, IsStuckOneTickAfterTheLimit) {
  Watchdog watchdog;
  watchdog.begin(kBegun);
  EXPECT_FALSE(watchdog.is_stuck(kBegun, kLimit));
  EXPECT_FALSE(watchdog.is_stuck(kBegun + kLimit, kLimit)) << "that is the limit";
  EXPECT_TRUE(watchdog.is_stuck(kBegun + kLimit + kTick, kLimit));
  EXPECT_FALSE(watchdog.is_stuck(kBegun + kLimit + kTick, kLimit + kTick));
  EXPECT_TRUE(watchdog.is_stuck(kBegun + kTick, Watchdog::Time::duration::zero()));
}

TEST(Watchdog, IsNotStuckAfterWhatWasDone) {
  Watchdog watchdog;
  watchdog.begin(kBegun);
  EXPECT_TRUE(watchdog.is_stuck(kBegun + 2 * kLimit, kLimit));
  watchdog.done();
  EXPECT_FALSE(watchdog.is_stuck(kBegun + 2 * kLimit, kLimit));
}

TEST(Watchdog, CountsFromTheLastBegin) {
  Watchdog watchdog;
  watchdog.begin(kBegun);
  watchdog.done();
  watchdog.begin(kBegun + kLimit);
  EXPECT_FALSE(watchdog.is_stuck(kBegun + 2 * kLimit, kLimit));
  EXPECT_TRUE(watchdog.is_stuck(kBegun + 2 * kLimit + kTick, kLimit));
}

}  // namespace
}  // namespace winperf
