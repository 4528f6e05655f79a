// Repeats a comparison of two readings, as `verify` makes them, until what differs is known to
// stay.
//
// Values may change between two readings, so a difference counts only if each of several rounds, a
// pause apart, shows it. A round without values on both sides confirms nothing: one more takes its
// place, once. Thread rule: one thread.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <utility>
#include <vector>

#include "collectors/base/clock.h"
#include "collectors/base/stop.h"

namespace winperf {

// Performance counters are not meant to be collected more often.
inline constexpr std::chrono::seconds kCollectionInterval{1};

// The numbers of a difference change from round to round, so they are not compared.
template <class Difference>
bool is_same_difference(const Difference& a, const Difference& b) {
  return a.instance == b.instance && a.counter == b.counter && a.what == b.what;
}

// `compare()` is one round. Its result has agrees(), delivered() and comparison.differences; what
// is returned is that of the last round, with the differences that all of them have.
template <class Compare>
auto compare_in_rounds(std::size_t rounds, const ClockSource& clocks, const StopToken& stop,
                       Compare&& compare) {
  auto result = compare();
  for (std::size_t round = 1, all = rounds; round < all && !result.agrees(); ++round) {
    clocks.pause_until(clocks.steady_now() + kCollectionInterval, stop);
    if (stop.stop_requested()) break;
    auto again = compare();
    if (result.delivered())
      std::erase_if(again.comparison.differences, [&result](const auto& difference) {
        return std::ranges::none_of(result.comparison.differences, [&](const auto& earlier) {
          return is_same_difference(difference, earlier);
        });
      });
    else if (again.delivered() && round + 1 == rounds)
      ++all;
    result = std::move(again);
  }
  return result;
}

}  // namespace winperf
