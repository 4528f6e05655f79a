// A clock that a test moves, for threads that pause: they are still until it is moved past their
// time. Thread rule: any thread.
#pragma once

#include <gtest/gtest.h>

#include <chrono>
#include <condition_variable>
#include <list>
#include <mutex>

#include "collectors/base/clock.h"

namespace winperf::testing {

class ManualClock {
 public:
  SteadyTime now() const {
    const std::lock_guard lock(mutex_);
    return now_;
  }

  void advance(SteadyTime::duration time) {
    const std::lock_guard lock(mutex_);
    now_ += time;
    changed_.notify_all();
  }

  // Until so many threads pause, and nothing wakes them. False after a minute.
  bool settle(std::size_t threads) {
    std::unique_lock lock(mutex_);
    return changed_.wait_for(lock, std::chrono::minutes(1), [&] {
      std::size_t still = 0;
      for (const Pause& pause : pauses_)
        if (pause.until > now_ && !pause.stop->stop_requested()) ++still;
      return still == threads && pauses_.size() == threads;
    });
  }

  ClockSource source() {
    return {.steady_now = [this] { return now(); },
            .wall_now = [this] { return Ticks100ns{now().time_since_epoch().count() / 100}; },
            .pause_until = [this](SteadyTime until, const StopToken& stop) { pause(until, stop); }};
  }

 private:
  struct Pause {
    SteadyTime until;
    const StopToken* stop;
  };

  void pause(SteadyTime until, const StopToken& stop) {
    std::unique_lock lock(mutex_);
    const auto self = pauses_.insert(pauses_.end(), {until, &stop});
    changed_.notify_all();
    // A stop is looked for, because its observer may not take this mutex.
    constexpr std::chrono::milliseconds kLook{1};
    while (now_ < until && !stop.stop_requested()) changed_.wait_for(lock, kLook);
    pauses_.erase(self);
    changed_.notify_all();
  }

  mutable std::mutex mutex_;
  std::condition_variable changed_;
  SteadyTime now_{std::chrono::hours(1'000)};
  std::list<Pause> pauses_;
};

}  // namespace winperf::testing
