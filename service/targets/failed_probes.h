// The machines that only a pattern names, that /probe has asked for, and whose first attempt read
// nothing: why, and when they may be tried again. A stranger chooses such names, so they take no
// place among those that exist, get no series and no line of the log each, and asking again soon
// leads to no second logon.
//
// Memory is bounded: beyond kMaxNames the one that failed first is forgotten, and each is some time
// after it could have been tried again. Thread rule: one thread at a time. Time is an argument.
#pragma once

#include <chrono>
#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <utility>

#include "collectors/model/clock.h"

namespace winperf {

struct FailedProbe {
  std::string reason{};  // for people
  unsigned attempts = 0;
  SteadyTime failed_at{};
  SteadyTime retry_at{};
};

class FailedProbes {
 public:
  using Key = std::pair<std::string, std::string>;  // host_key(), module
  static constexpr std::size_t kMaxNames = 1000;
  static constexpr std::chrono::minutes kForgetAfter{10};  // since it may be tried again
  static constexpr std::chrono::minutes kTellAfter{10};    // since something was told

  // `interval`: how often a machine of its module is sampled. The pause is twice as long after each
  // attempt, as for those of the configuration.
  void note(const Key& key, std::string reason, std::chrono::milliseconds interval, SteadyTime now);
  // Null unless it has failed and it is too early for another attempt.
  const FailedProbe* waiting(const Key& key, SteadyTime now) const;
  // It was read, or the configuration names it now.
  void forget(const Key& key) { names_.erase(key); }
  void clear() { names_.clear(); }
  void forget_old(SteadyTime now);

  std::size_t size() const { return names_.size(); }
  // For the log: how many names have failed since it was told, with an example; nothing if none
  // has, or if it is too early. A name that fails again isn't new while it is known.
  std::optional<std::string> take_news(SteadyTime now);

 private:
  void make_room();

  std::map<Key, FailedProbe> names_;
  std::size_t new_ones_ = 0;
  std::string example_;
  std::optional<SteadyTime> told_at_;
};

}  // namespace winperf
