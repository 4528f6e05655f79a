// How long nothing is tried again that has failed. Thread rule: pure.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>

#include "collectors/base/back_off.h"

namespace winperf::worker {

inline constexpr std::chrono::seconds kFirstRest{1};
inline constexpr std::chrono::seconds kLastRest{60};

// At first at least kFirstRest, and as long as the failure took; twice as long with each further
// one in a row (`times`, from 1), up to kLastRest.
[[nodiscard]] inline std::chrono::nanoseconds rest_after(unsigned times,
                                                         std::chrono::nanoseconds took = {}) {
  return back_off(std::max(took, std::chrono::nanoseconds(kFirstRest)), times, kLastRest);
}

// For errors.
[[nodiscard]] inline std::uint64_t milliseconds(std::chrono::nanoseconds time) {
  return static_cast<std::uint64_t>(
      std::chrono::duration_cast<std::chrono::milliseconds>(time).count());
}

}  // namespace winperf::worker
