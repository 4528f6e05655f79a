// Keeps a log readable, and a disk from filling up, when the same thing goes wrong all the time:
// of each kind of message about each subject, so many lines within a minute, and then one that says
// how many were left out.
//
// A minute begins with the first line. What was left out is told once the minute is over: by the
// next call of ended(), or at the end by rest(). The memory is bounded: beyond kMaxKeys subjects at
// a time, those of one kind share a minute and have no name.
// Thread rule: one thread at a time. Time is an argument.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "service/log/log_event.h"

namespace winperf {

class LogLimiter {
 public:
  using Time = std::chrono::steady_clock::time_point;
  static constexpr std::chrono::minutes kWindow{1};
  static constexpr std::size_t kMaxKeys = 1000;

  struct Suppressed {
    Event event;
    std::string subject;
    std::uint64_t lines;
    bool operator==(const Suppressed&) const = default;
  };

  explicit LogLimiter(std::size_t lines_per_minute) : limit_(lines_per_minute) {}

  // What was left out in minutes that are over, each told once. To be asked before admit().
  std::vector<Suppressed> ended(Time now);
  // Whether a line may be written.
  bool admit(Event event, std::string_view subject, Time now);
  // What was left out and not told yet.
  std::vector<Suppressed> rest();

 private:
  struct Window {
    Time since;
    std::size_t written = 0;
    std::uint64_t suppressed = 0;
  };
  using Key = std::pair<Event, std::string>;

  Window& window(Event event, std::string_view subject, Time now);

  const std::size_t limit_;
  std::map<Key, Window> windows_;
};

}  // namespace winperf
