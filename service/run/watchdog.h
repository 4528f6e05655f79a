// Notices that a thread makes no progress: the thread says when it begins with something and when
// it has done that, and others ask since when it has been busy with the same. Thread rule: any
// thread.
#pragma once

#include <atomic>
#include <chrono>
#include <optional>

namespace winperf {

class Watchdog {
 public:
  using Time = std::chrono::steady_clock::time_point;

  void begin(Time now) { busy_since_ = now.time_since_epoch().count(); }
  void done() { busy_since_ = kIdle; }

  // True if it began longer ago than `limit` and hasn't said that it is done.
  [[nodiscard]] bool is_stuck(Time now, Time::duration limit) const {
    const auto since = busy_since_.load();
    return since != kIdle && now - Time(Time::duration(since)) > limit;
  }

 private:
  static constexpr Time::rep kIdle = 0;
  std::atomic<Time::rep> busy_since_ = kIdle;
};

}  // namespace winperf
