#include "collectors/worker/deadlines.h"

#include <algorithm>

namespace winperf::worker {
namespace {

using std::chrono::nanoseconds;

// An eighth of the way down with each call that is faster.
void learn(std::optional<nanoseconds>& usual, nanoseconds time) {
  constexpr int kFading = 8;
  usual = usual ? std::max(time, *usual - *usual / kFading) : time;
}

}  // namespace

Deadlines::Duration Deadlines::of(std::string_view call) const {
  const auto found = calls_.find(call);
  if (found == calls_.end()) return longest_first_;
  const Known& known = found->second;
  const auto& usual = relevant(known);
  const Duration limit = longest(known);
  if (!usual) return std::min(known.after_miss.value_or(limit), limit);
  return std::clamp(std::chrono::ceil<Duration>(*usual * kTimesUsual), shortest_, limit);
}

void Deadlines::took(std::string_view call, nanoseconds time) {
  if (call.empty()) return;
  Known& entry = known(call);
  learn(entry.worker == worker_ ? entry.usual : entry.first, time);
  entry.worker = worker_;
  entry.after_miss.reset();
}

void Deadlines::missed(std::string_view call) {
  if (call.empty()) return;
  const Duration half = of(call) / 2;
  Known& entry = known(call);
  const bool was_known = relevant(entry).has_value();
  entry.first.reset();
  entry.usual.reset();
  entry.after_miss = was_known ? std::max(longest_, longest_first_) : std::max(half, shortest_);
}

Deadlines::Known& Deadlines::known(std::string_view call) {
  const auto found = calls_.find(call);
  if (found != calls_.end()) return found->second;
  if (calls_.size() >= kMaxKnown) calls_.clear();
  return calls_[std::string(call)];
}

}  // namespace winperf::worker
