// Clocks and waiting, passed in as a value so that tests control both. The sampler, the verifier
// and the retries of a query use it.
#pragma once

#include <chrono>
#include <functional>

#include "collectors/base/stop.h"
#include "collectors/model/clock.h"

namespace winperf {

struct ClockSource {
  std::function<SteadyTime()> steady_now;
  std::function<Ticks100ns()> wall_now;
  // Returns at that time of steady_now, or earlier if a stop is requested.
  std::function<void(SteadyTime, const StopToken&)> pause_until = winperf::pause_until;

  Instant now() const { return {steady_now(), wall_now()}; }
};

// This machine's clocks.
[[nodiscard]] ClockSource system_clocks();

}  // namespace winperf
