#include "exporter/http/scrape_log.h"

#include <algorithm>

namespace winperf {

ScrapeLog::State ScrapeLog::state(SteadyTime now) const {
  const std::lock_guard lock(mutex_);
  State state;
  for (const auto& [client, last] : last_) state.clients += now - last <= kRecent ? 1 : 0;
  if (newest_)
    state.age_seconds =
        std::max(std::chrono::duration<double>(now - *newest_), std::chrono::duration<double>(0))
            .count();
  return state;
}

void ScrapeLog::note(const NetAddress& client, SteadyTime now) {
  const std::lock_guard lock(mutex_);
  const auto time = [](const auto& entry) { return entry.second; };
  // Threads don't arrive in the order in which they read the clock.
  newest_ = std::max(newest_.value_or(now), now);
  last_[client] = *newest_;
  if (last_.size() > kMaxClients) last_.erase(std::ranges::min_element(last_, {}, time));
}

}  // namespace winperf
