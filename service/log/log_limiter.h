// Limits how many lines per minute are logged for each pair of message kind and subject, so that a
// failure that repeats all the time neither buries the log nor fills the disk. One line then
// reports how many were suppressed.
//
// A pair's minute begins with its first line. When the minute is over, the next call of ended()
// reports what was suppressed; at the end, rest() does. Memory is bounded: beyond kMaxKeys pairs at
// a time, new subjects of a kind share one minute and have no name.
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

  // What was suppressed in minutes that are over; each is returned once. Call it before admit().
  [[nodiscard]] std::vector<Suppressed> ended(Time now);
  // Whether a line may be written.
  [[nodiscard]] bool admit(Event event, std::string_view subject, Time now);
  // What was suppressed and not returned yet.
  [[nodiscard]] std::vector<Suppressed> rest();

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
