// How long nothing is tried again that has failed. Thread rule: pure.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>

namespace winperf::worker {

inline constexpr std::chrono::seconds kFirstRest{1};
inline constexpr std::chrono::seconds kLastRest{60};

// At first at least kFirstRest, and as long as the failure took; twice as long with each further
// one in a row (`times`, from 1), up to kLastRest.
[[nodiscard]] inline std::chrono::nanoseconds rest_after(unsigned times,
                                                         std::chrono::nanoseconds took = {}) {
  constexpr unsigned kMaxDoublings = 8;
  const std::chrono::nanoseconds first = std::max(took, std::chrono::nanoseconds(kFirstRest));
  const unsigned doublings = std::min(times - 1, kMaxDoublings);
  return std::min(std::chrono::nanoseconds(kLastRest), first * (1U << doublings));
}

// For errors.
[[nodiscard]] inline std::uint64_t milliseconds(std::chrono::nanoseconds time) {
  return static_cast<std::uint64_t>(
      std::chrono::duration_cast<std::chrono::milliseconds>(time).count());
}

}  // namespace winperf::worker
