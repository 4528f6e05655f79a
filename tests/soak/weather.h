// What goes wrong on the machine, and when: random, and the same for the same seed. Each kind of
// event comes at random moments that are so many hours apart on average; trouble with a provider
// lasts for some minutes. Thread rule: one thread, between two rounds of sampling.
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <random>
#include <string>

#include "tests/soak/timeline.h"

namespace winperf::soak {

// What the driver does itself.
struct Errands {
  bool sleep = false;           // the machine sleeps for hours
  bool reload = false;          // with another configuration
  bool reload_sources = false;  // with one that opens the sources again
  bool reload_invalid = false;
  bool reload_flood = false;  // many invalid ones at once
  bool restart = false;       // the service "Restarter" counts from 0
};

class Weather {
 public:
  Weather(Board& board, Timeline& timeline, std::uint64_t seed);

  // What begins and ends at this moment.
  Errands pass();
  // All is well until the next event.
  void clear();
  std::uint64_t random() { return random_(); }
  // How often each kind of event has come.
  const std::map<std::string, std::uint64_t>& counts() const { return counts_; }

 private:
  using Hours = std::chrono::duration<double, std::ratio<3600>>;

  // Whether an event is due that comes each so many hours.
  bool comes(const std::string& kind, Hours apart);
  Timeline::Time in(Hours hours) const;
  double part() { return std::uniform_real_distribution<>()(random_); }
  void trouble_provider();
  void trouble_perflib();
  void set_wall();

  Board& board_;
  Timeline& timeline_;
  std::mt19937_64 random_;
  std::map<std::string, Timeline::Time> due_;
  std::map<std::string, std::uint64_t> counts_;
  Timeline::Time provider_until_{};
  Timeline::Time perflib_until_{};
  std::chrono::seconds wall_is_off_{0};
};

}  // namespace winperf::soak
