// Repeats a comparison of two readings, as `verify` makes them, until what differs is known to
// stay.
//
// Values may change between two readings, so a difference counts only if each of several rounds, a
// pause apart, shows it. A round without values on both sides confirms nothing: one more takes its
// place, once. Thread rule: one thread.
#pragma once

#include <chrono>
#include <cstddef>
#include <set>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "collectors/base/clock.h"
#include "collectors/base/stop.h"

namespace winperf {

// Performance counters are not meant to be collected more often.
inline constexpr std::chrono::seconds kCollectionInterval{1};

// What makes two differences the same: their numbers change from round to round.
template <class Difference>
std::tuple<std::string_view, std::string_view, std::string_view> difference_key(
    const Difference& difference) {
  return {difference.instance, difference.counter, difference.what};
}

// Leaves those that `earlier` has, too. A reader that lies may make very many.
template <class Differences>
void keep_common(Differences& differences, const Differences& earlier) {
  std::set<std::tuple<std::string_view, std::string_view, std::string_view>> keys;
  for (const auto& difference : earlier) keys.insert(difference_key(difference));
  std::erase_if(differences, [&keys](const auto& difference) {
    return !keys.contains(difference_key(difference));
  });
}

// `compare()` is one round. Its result has agrees(), delivered() and comparison.differences; what
// is returned is that of the last round that has values, with the differences that all of them
// have.
template <class Compare>
auto compare_in_rounds(std::size_t rounds, const ClockSource& clocks, const StopToken& stop,
                       Compare&& compare) {
  auto result = compare();
  for (std::size_t round = 1, all = rounds; round < all && !result.agrees(); ++round) {
    clocks.pause_until(clocks.steady_now() + kCollectionInterval, stop);
    if (stop.stop_requested()) break;
    auto again = compare();
    if (result.delivered() && !again.agrees() && !again.delivered() && all == rounds) {
      ++all;
      continue;
    }
    if (result.delivered())
      keep_common(again.comparison.differences, result.comparison.differences);
    else if (again.delivered() && round + 1 == rounds)
      ++all;
    result = std::move(again);
  }
  return result;
}

}  // namespace winperf
