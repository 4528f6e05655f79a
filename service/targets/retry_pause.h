// How long a machine that can't be read is left alone. Thread rule: pure function.
#pragma once

#include <algorithm>
#include <chrono>

#include "collectors/model/clock.h"

namespace winperf {

inline constexpr std::chrono::minutes kLongestRetryPause{5};

// After so many failures in a row, at least one: twice as long each time, never shorter than the
// interval at which the machine would be sampled.
inline SteadyTime::duration retry_pause(unsigned failures, std::chrono::milliseconds interval) {
  constexpr unsigned kMaxDoublings = 8;
  const auto pause = interval * (1U << std::min(failures - 1, kMaxDoublings));
  return std::max<SteadyTime::duration>(interval,
                                        std::min<SteadyTime::duration>(pause, kLongestRetryPause));
}

}  // namespace winperf
