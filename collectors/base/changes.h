// Passes changes and stop requests to a thread that waits for a time. A change that isn't taken yet
// can be updated, so that only the newest state counts. Thread rule: wait() is called by one
// thread, everything else by any.
#pragma once

#include <algorithm>
#include <chrono>
#include <memory>
#include <mutex>
#include <optional>
#include <utility>

#include "collectors/base/clock.h"
#include "collectors/base/stop.h"

namespace winperf {

// The latest value of one writing thread for many readers. Thread rule: any thread. A reader may
// keep its value.
template <class Value>
class Latest {
 public:
  void publish(std::shared_ptr<const Value> value) {
    const std::lock_guard lock(mutex_);
    latest_ = std::move(value);
  }

  // Null until the first one is published.
  std::shared_ptr<const Value> latest() const {
    const std::lock_guard lock(mutex_);
    return latest_;
  }

 private:
  mutable std::mutex mutex_;
  std::shared_ptr<const Value> latest_;
};

template <class Change>
class Changes {
 public:
  // `add` gets what has not been taken yet.
  void put(auto&& add) {
    const std::lock_guard lock(mutex_);
    add(change_);
    wake_.request_stop();
  }

  void request_stop() {
    const std::lock_guard lock(mutex_);
    stop_.request_stop();
    wake_.request_stop();
  }
  StopToken stop_token() { return stop_.token(); }

  // Until `due`, a change or a stop request; the change, if there is one. Both are set while the
  // mutex is held, so that none is lost between the check and the wait.
  std::optional<Change> wait(SteadyTime due, const ClockSource& clocks) {
    // Some systems can't wait until the maximum time, which means that nothing is due.
    constexpr std::chrono::hours kLongest{1};
    StopToken woken;
    {
      const std::lock_guard lock(mutex_);
      if (change_ || stop_.token().stop_requested()) return std::exchange(change_, std::nullopt);
      wake_ = StopSource();
      woken = wake_.token();
    }
    clocks.pause_until(std::min(due, clocks.steady_now() + kLongest), woken);
    const std::lock_guard lock(mutex_);
    return std::exchange(change_, std::nullopt);
  }

 private:
  std::mutex mutex_;
  std::optional<Change> change_;
  StopSource stop_;
  StopSource wake_;  // ends one wait; a new one for each
};

}  // namespace winperf
