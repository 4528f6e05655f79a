#include "collectors/base/clock.h"

#include <gtest/gtest.h>

namespace winperf {
namespace {

using Ticks = std::chrono::duration<std::int64_t, std::ratio<1, 10'000'000>>;

TEST(SystemClocks, CountTheWallClockFrom1601InUnitsOf100Nanoseconds) {
  const auto expected = [] {
    // 1601-01-01, by the calendar.
    const std::chrono::sys_days start =
        std::chrono::year(1601) / std::chrono::January / std::chrono::day(1);
    const auto now = std::chrono::system_clock::now().time_since_epoch();
    return std::chrono::duration_cast<Ticks>(now) -
           std::chrono::duration_cast<Ticks>(start.time_since_epoch());
  };
  const Ticks before = expected();
  const Ticks now{system_clocks().wall_now().ticks};
  EXPECT_LE(before, now);
  EXPECT_LE(now, expected());
}

TEST(SystemClocks, MeasureBySteadyTime) {
  const auto before = std::chrono::steady_clock::now();
  const auto now = system_clocks().steady_now();
  EXPECT_LE(before, now);
  EXPECT_LE(now, std::chrono::steady_clock::now());
}

}  // namespace
}  // namespace winperf
