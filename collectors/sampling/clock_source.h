// The sampler's time, handed in so that tests own it.
#pragma once

#include <chrono>
#include <functional>

#include "collectors/model/clock.h"

namespace winperf {

struct ClockSource {
  std::function<std::chrono::steady_clock::time_point()> steady_now;
  std::function<Ticks100ns()> wall_now;
};

// This machine's clocks.
ClockSource system_clocks();

}  // namespace winperf
