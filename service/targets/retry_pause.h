// How long a machine that can't be read is left alone. Thread rule: pure function.
#pragma once

#include <algorithm>
#include <chrono>

#include "collectors/base/back_off.h"
#include "collectors/model/clock.h"

namespace winperf {

inline constexpr std::chrono::minutes kLongestRetryPause{5};

// After so many failures in a row, at least one: twice as long each time, never shorter than the
// interval at which the machine would be sampled.
inline SteadyTime::duration retry_pause(unsigned failures, std::chrono::milliseconds interval) {
  return std::max<SteadyTime::duration>(interval, back_off(interval, failures, kLongestRetryPause));
}

}  // namespace winperf
