#include "service/run/threads.h"

#include <gtest/gtest.h>

namespace winperf {
namespace {

constexpr Watchdog::Time kStart{std::chrono::hours(1)};
constexpr Watchdog::Time::duration kTick{1};
constexpr std::chrono::seconds kLimit{60};

TEST(Watchdog, IsNotStuckWhileNothingHasBegun) {
  const Watchdog watchdog;
  EXPECT_FALSE(watchdog.is_stuck(kStart, kLimit));
  EXPECT_FALSE(watchdog.is_stuck(Watchdog::Time::max(), kLimit));
}

TEST(Watchdog, IsStuckOneTickAfterTheLimit) {
  Watchdog watchdog;
  watchdog.begin(kStart);
  EXPECT_FALSE(watchdog.is_stuck(kStart, kLimit));
  EXPECT_FALSE(watchdog.is_stuck(kStart + kLimit, kLimit)) << "that is the limit";
  EXPECT_TRUE(watchdog.is_stuck(kStart + kLimit + kTick, kLimit));
  EXPECT_FALSE(watchdog.is_stuck(kStart + kLimit + kTick, kLimit + kTick));
  EXPECT_TRUE(watchdog.is_stuck(kStart + kTick, Watchdog::Time::duration::zero()));
}

TEST(Watchdog, IsNotStuckAfterWhatWasDone) {
  Watchdog watchdog;
  watchdog.begin(kStart);
  EXPECT_TRUE(watchdog.is_stuck(kStart + 2 * kLimit, kLimit));
  watchdog.done();
  EXPECT_FALSE(watchdog.is_stuck(kStart + 2 * kLimit, kLimit));
}

TEST(Watchdog, CountsFromTheLastBegin) {
  Watchdog watchdog;
  watchdog.begin(kStart);
  watchdog.done();
  watchdog.begin(kStart + kLimit);
  EXPECT_FALSE(watchdog.is_stuck(kStart + 2 * kLimit, kLimit));
  EXPECT_TRUE(watchdog.is_stuck(kStart + 2 * kLimit + kTick, kLimit));
}

}  // namespace
}  // namespace winperf
