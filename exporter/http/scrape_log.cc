#include "exporter/http/scrape_log.h"

#include <algorithm>
#include <utility>

namespace winperf {
namespace {

double seconds_of(SteadyTime::duration time) {
  return std::max(std::chrono::duration<double>(time).count(), 0.0);
}

}  // namespace

ScrapeLog::State ScrapeLog::state(SteadyTime now) const {
  const std::lock_guard lock(mutex_);
  State state;
  for (const auto& [address, client] : clients_)
    state.clients += now - client.last <= kRecent ? 1 : 0;
  if (newest_) state.age_seconds = seconds_of(now - *newest_);
  return state;
}

ScrapeVerdict ScrapeLog::note(const Scrape& scrape) {
  const std::lock_guard lock(mutex_);
  // Threads don't arrive in the order in which they read the clock.
  newest_ = std::max(newest_.value_or(scrape.at), scrape.at);
  Client& client = clients_[scrape.client];
  const SteadyTime at = std::max(scrape.at, client.last);
  if (client.scrapes != 0) client.between = at - client.last;
  client.last = at;
  ++client.scrapes;
  client.user_agent = scrape.user_agent;
  client.format = scrape.format;
  client.is_compressed = scrape.is_compressed;
  const ScrapeVerdict verdict = compare(client, scrape);
  const auto last = [](const auto& entry) { return entry.second.last; };
  if (clients_.size() > kMaxClients) clients_.erase(std::ranges::min_element(clients_, {}, last));
  return verdict;
}

ScrapeVerdict ScrapeLog::compare(Client& client, const Scrape& scrape) {
  if (scrape.interval.count() == 0) return {};
  const auto before = std::exchange(client.compared, client.last);
  if (!before) return {};
  const auto between = std::chrono::duration_cast<std::chrono::milliseconds>(client.last - *before);
  // No scraper is exact to the millisecond.
  const bool is_early = between < scrape.interval * 9 / 10;
  client.early_in_a_row = is_early ? client.early_in_a_row + 1 : 0;
  client.early += is_early ? 1 : 0;
  const bool is_news = client.early_in_a_row >= kHabit && !client.was_reported;
  client.was_reported = client.was_reported || is_news;
  return {.is_early = is_early, .habit = is_news ? std::optional(between) : std::nullopt};
}

std::vector<api::Scraper> ScrapeLog::scrapers(const Instant& now) const {
  const std::lock_guard lock(mutex_);
  std::vector<api::Scraper> all;
  for (const auto& [address, client] : clients_) {
    const double age = seconds_of(now.steady - client.last);
    all.push_back(
        {.address = to_text(address),
         .user_agent = client.user_agent,
         .last_scrape = {now.wall.ticks - static_cast<std::int64_t>(
                                              age * static_cast<double>(kTicks100nsPerSecond))},
         .age_seconds = age,
         .interval_seconds =
             client.between ? std::optional(seconds_of(*client.between)) : std::nullopt,
         .scrapes = client.scrapes,
         .early_scrapes = client.early,
         .format = client.format == PageFormat::kOpenMetrics ? "openmetrics" : "text",
         .is_compressed = client.is_compressed});
  }
  std::ranges::stable_sort(all, {}, &api::Scraper::age_seconds);
  return all;
}

}  // namespace winperf
