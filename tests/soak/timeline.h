// The simulated time of a soak: it stands still while anybody works, and is moved on by the driver
// when the sampling thread waits for its next round, or by that thread where it waits for a worker.
//
// So thirty days take as long as their work. What really takes time (worker processes, HTTP) has
// real deadlines. Thread rule: any thread; one of them, the sampling thread, pauses.
#pragma once

#include <chrono>
#include <condition_variable>
#include <mutex>

#include "collectors/sources/clock_source.h"
#include "tests/soak/board.h"

namespace winperf::soak {

class Timeline {
 public:
  using Time = std::chrono::steady_clock::time_point;

  explicit Timeline(Board& board) : board_(board) {}

  // For the server. pause_until() is the sampling thread's.
  ClockSource clocks();
  Time now() const;
  Ticks100ns wall_now() const;
  std::chrono::duration<double> elapsed() const;

  // Time is never moved back.
  void advance_to(Time time);
  void advance(std::chrono::nanoseconds time) { advance_to(now() + time); }
  // The wall clock alone is set.
  void set_wall(std::chrono::seconds by);

  // Waits until the sampling thread has nothing to do. Returns when it wants to go on. Throws if
  // that takes minutes of real time.
  Time wait_until_idle();

 private:
  void pause_until(Time time, const StopToken& stop);

  Board& board_;
  std::mutex mutex_;
  std::condition_variable changed_;
  bool is_paused_ = false;
  Time paused_until_{};
};

}  // namespace winperf::soak
