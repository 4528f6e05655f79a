// Which clients scrape the metrics, for the metrics about that and the doctor. A scrape of a part
// of the page from this machine is a person's or the doctor's, and isn't noted. Thread rule: any
// thread; time is an argument.
#pragma once

#include <chrono>
#include <cstddef>
#include <map>
#include <mutex>
#include <optional>

#include "collectors/base/net_address.h"
#include "collectors/model/clock.h"

namespace winperf {

class ScrapeLog {
 public:
  static constexpr std::size_t kMaxClients = 64;  // the one that scraped least recently is dropped
  static constexpr std::chrono::minutes kRecent{10};

  struct State {
    std::size_t clients = 0;              // that have scraped within kRecent
    std::optional<double> age_seconds{};  // of the last scrape; nothing before the first
  };
  State state(SteadyTime now) const;
  void note(const NetAddress& client, SteadyTime now);

 private:
  mutable std::mutex mutex_;
  std::map<NetAddress, SteadyTime> last_;  // scrape, by client
  std::optional<SteadyTime> newest_{};
};

}  // namespace winperf
