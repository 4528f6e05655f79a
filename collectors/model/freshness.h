// How long a value is worth showing. A stale number looks like one that doesn't change, so whoever
// serves values leaves out those that are too old, and says so. Ages are told by the steady clock:
// setting the machine's clock makes nothing older. Thread rule: any thread.
#pragma once

#include <algorithm>
#include <chrono>

#include "collectors/model/sample.h"

namespace winperf {

inline constexpr std::chrono::milliseconds kShortestStaleAfter{10'000};

// Two samples are missing: the second one is half an interval late.
constexpr std::chrono::milliseconds default_stale_after(std::chrono::milliseconds interval) {
  return std::max(kShortestStaleAfter, interval * 5 / 2);
}

// Of the current sample. Not negative, also if another thread has sampled since `now`.
inline std::chrono::duration<double> age(const CountersetState& state, SteadyTime now) {
  return std::max(SteadyTime::duration::zero(), now - state.sampled_at.steady);
}

// Whether there is a sample, and it is too old.
inline bool is_stale(const CountersetState& state, SteadyTime now) {
  return state.sample != nullptr && now - state.sampled_at.steady > state.stale_after;
}

inline bool is_fresh(const CountersetState& state, SteadyTime now) {
  return state.sample != nullptr && !is_stale(state, now);
}

}  // namespace winperf
