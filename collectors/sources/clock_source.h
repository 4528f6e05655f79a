// The sampler's time, and waiting for it, handed in so that tests own it.
#pragma once

#include <chrono>
#include <functional>
#include <stop_token>

#include "collectors/base/pause.h"
#include "collectors/model/clock.h"

namespace winperf {

struct ClockSource {
  std::function<std::chrono::steady_clock::time_point()> steady_now;
  std::function<Ticks100ns()> wall_now;
  // Returns at a time of steady_now, or earlier where a stop is requested.
  std::function<void(std::chrono::steady_clock::time_point, const std::stop_token&)> pause_until =
      winperf::pause_until;
};

// This machine's clocks.
ClockSource system_clocks();

}  // namespace winperf
