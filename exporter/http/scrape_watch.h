// Notices clients that scrape more often than a counterset is sampled. Two of their scrapes may
// show the same sample, so that a rate over both is 0, and the next one is too high
// (docs/scraping.md). Sampling knows nothing of this. Thread rule: any thread.
#pragma once

#include <chrono>
#include <cstddef>
#include <map>
#include <mutex>
#include <optional>

#include "collectors/model/clock.h"
#include "exporter/http/port_owner.h"

namespace winperf {

struct ScrapeVerdict {
  bool is_early = false;
  // Since the same client's previous one, if it has now been early so often that it isn't somebody
  // who tries something out. Said once of each client.
  std::optional<std::chrono::milliseconds> habit{};
};

class ScrapeWatch {
 public:
  static constexpr std::size_t kMaxClients = 64;  // the one that was seen least recently is dropped
  static constexpr int kHabit = 3;                // early scrapes in a row

  // `interval`: of the counterset that is sampled least often; 0: unknown, so that nothing is
  // early.
  ScrapeVerdict note(const NetAddress& client, SteadyTime now, std::chrono::milliseconds interval);

 private:
  struct Client {
    SteadyTime last{};
    int early_in_a_row = 0;
    bool is_told = false;
  };

  std::mutex mutex_;
  std::map<NetAddress, Client> clients_;
};

}  // namespace winperf
