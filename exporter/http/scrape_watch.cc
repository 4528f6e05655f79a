#include "exporter/http/scrape_watch.h"

#include <algorithm>

namespace winperf {

ScrapeVerdict ScrapeWatch::note(const NetAddress& client, SteadyTime now,
                                std::chrono::milliseconds interval) {
  if (interval.count() == 0) return {};
  const std::lock_guard lock(mutex_);
  const auto [found, is_new] = clients_.try_emplace(client, Client{.last = now});
  if (is_new) {
    const auto last = [](const auto& entry) { return entry.second.last; };
    if (clients_.size() > kMaxClients) clients_.erase(std::ranges::min_element(clients_, {}, last));
    return {};
  }
  Client& seen = found->second;
  // Threads don't come here in the order in which they looked at the clock.
  now = std::max(now, seen.last);
  const auto between = std::chrono::duration_cast<std::chrono::milliseconds>(now - seen.last);
  seen.last = now;
  // No scraper is exact to the millisecond.
  const bool is_early = between < interval * 9 / 10;
  seen.early_in_a_row = is_early ? seen.early_in_a_row + 1 : 0;
  const bool is_news = seen.early_in_a_row >= kHabit && !seen.is_told;
  seen.is_told = seen.is_told || is_news;
  return {.is_early = is_early, .habit = is_news ? std::optional(between) : std::nullopt};
}

}  // namespace winperf
