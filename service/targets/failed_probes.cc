#include "service/targets/failed_probes.h"

#include <algorithm>

#include "service/targets/retry_pause.h"

namespace winperf {

void FailedProbes::note(const Key& key, std::string reason, std::chrono::milliseconds interval,
                        SteadyTime now) {
  if (!names_.contains(key)) {
    make_room();
    if (new_ones_++ == 0) example_ = key.first + ": " + reason;
  }
  FailedProbe& failed = names_[key];
  failed = {.reason = std::move(reason), .attempts = failed.attempts + 1, .failed_at = now};
  failed.retry_at = now + retry_pause(failed.attempts, interval);
}

const FailedProbe* FailedProbes::waiting(const Key& key, SteadyTime now) const {
  const auto found = names_.find(key);
  return found != names_.end() && now < found->second.retry_at ? &found->second : nullptr;
}

void FailedProbes::forget_old(SteadyTime now) {
  std::erase_if(names_,
                [&](const auto& known) { return now - known.second.retry_at > kForgetAfter; });
}

void FailedProbes::make_room() {
  if (names_.size() < kMaxNames) return;
  names_.erase(std::ranges::min_element(names_, {},
                                        [](const auto& known) { return known.second.failed_at; }));
}

std::optional<std::string> FailedProbes::take_news(SteadyTime now) {
  if (new_ones_ == 0 || (told_at_ && now - *told_at_ < kTellAfter)) return std::nullopt;
  const std::size_t count = std::exchange(new_ones_, 0);
  told_at_ = now;
  return count == 1 ? "a name that was probed could not be read: " + example_
                    : std::to_string(count) +
                          " names that were probed could not be read, such as " + example_;
}

}  // namespace winperf
