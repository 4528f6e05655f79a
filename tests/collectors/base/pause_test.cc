#include "collectors/base/pause.h"

#include <gtest/gtest.h>

#include <future>
#include <thread>

namespace winperf {
namespace {

using std::chrono::steady_clock;

constexpr std::chrono::hours kLong{1};

TEST(PauseUntil, WaitsUntilThen) {
  const auto then = steady_clock::now() + 2 * kStopPollInterval;
  pause_until(then, {});
  EXPECT_GE(steady_clock::now(), then);
  pause_until(then - kLong, {});
}

TEST(PauseUntil, AStopEndsIt) {
  std::stop_source stop;
  std::promise<void> waits;
  const std::jthread stopper([&] {
    waits.get_future().wait();
    stop.request_stop();
  });
  waits.set_value();
  pause_until(steady_clock::now() + kLong, stop.get_token());
  EXPECT_TRUE(stop.stop_requested());
  pause_until(steady_clock::now() + kLong, stop.get_token());
}

}  // namespace
}  // namespace winperf
