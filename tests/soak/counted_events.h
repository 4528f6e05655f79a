// An event log that only counts, and finds when one kind of message comes more often in a minute
// than the log allows. Thread rule: one call at a time, as the log makes them; counts by any
// thread.
#pragma once

#include <atomic>
#include <map>
#include <string>
#include <utility>

#include "service/log/logging.h"
#include "tests/soak/timeline.h"

namespace winperf::soak {

struct EventCounts {
  std::atomic<std::uint64_t> all{0};
  std::atomic<std::uint64_t> suppressed{0};  // reports of what was not written
  std::atomic<bool> too_many{false};
};

class CountedEvents final : public EventLog {
 public:
  CountedEvents(const Timeline& timeline, EventCounts& counts)
      : timeline_(timeline), counts_(counts) {}

  void write(Event event, std::string_view subject, std::string_view) override {
    ++counts_.all;
    if (event == Event::kSuppressed) {
      ++counts_.suppressed;
      return;
    }
    const auto now = timeline_.now();
    Minute& minute = minutes_[{event, std::string(subject)}];
    if (now - minute.since >= LogLimiter::kWindow) minute = {.since = now};
    if (++minute.written > Log::kLinesPerMinute) counts_.too_many = true;
  }

 private:
  struct Minute {
    Timeline::Time since{};
    std::size_t written = 0;
  };
  const Timeline& timeline_;
  EventCounts& counts_;
  std::map<std::pair<Event, std::string>, Minute> minutes_;
};

}  // namespace winperf::soak
