// Which clients scrape the metrics, for the metrics about that, the doctor and /api/v1/scrapers. A
// scrape of a part of the page from this machine is a person's or the doctor's, and isn't noted.
//
// Also notices clients that scrape more often than a counterset is sampled. Two of their scrapes
// may show the same sample, so that a rate over both is 0, and the next one is too high
// (docs/scraping.md). Sampling knows nothing of this. Thread rule: any thread; time is an argument.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "collectors/base/net_address.h"
#include "collectors/model/clock.h"
#include "exporter/api/service_documents.h"
#include "exporter/text/page_format.h"

namespace winperf {

struct Scrape {
  NetAddress client{};
  SteadyTime at{};
  // Of the counterset that is sampled least often; 0: this scrape can't be early, because it is of
  // a part of the page, or through a proxy, whose address isn't the client's, or there is no such
  // counterset.
  std::chrono::milliseconds interval{};
  std::string_view user_agent{};
  PageFormat format = PageFormat::kText;
  bool is_compressed = false;
};

struct ScrapeVerdict {
  bool is_early = false;
  // Time since the same client's previous scrape, once it has been early so often that it isn't a
  // manual test. Reported once per client.
  std::optional<std::chrono::milliseconds> habit{};
};

class ScrapeLog {
 public:
  static constexpr std::size_t kMaxClients = 64;  // the one that scraped least recently is dropped
  static constexpr std::chrono::minutes kRecent{10};
  static constexpr int kHabit = 3;  // early scrapes in a row

  struct State {
    std::size_t clients = 0;              // that have scraped within kRecent
    std::optional<double> age_seconds{};  // of the last scrape; nothing before the first
  };
  State state(SteadyTime now) const;
  ScrapeVerdict note(const Scrape& scrape);
  // The one that scraped last comes first.
  std::vector<api::Scraper> scrapers(const Instant& now) const;

 private:
  struct Client {
    SteadyTime last{};
    std::optional<SteadyTime::duration> between{};  // its last two scrapes
    std::optional<SteadyTime> compared{};           // the last one that could be early
    int early_in_a_row = 0;
    bool was_reported = false;
    std::uint64_t scrapes = 0;
    std::uint64_t early = 0;
    std::string user_agent{};
    PageFormat format = PageFormat::kText;
    bool is_compressed = false;
  };

  static ScrapeVerdict compare(Client& client, const Scrape& scrape);

  mutable std::mutex mutex_;
  std::map<NetAddress, Client> clients_;
  std::optional<SteadyTime> newest_{};
};

}  // namespace winperf
