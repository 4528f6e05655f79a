// The simulated time of a soak: it stands still while anybody works, and is moved on by the driver
// when the threads of samples and of facts wait for their next rounds, or by one where it waits for
// a worker.
//
// So thirty days take as long as their work. What really takes time (worker processes, HTTP) has
// real deadlines. Thread rule: any thread; those two pause.
#pragma once

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <vector>

#include "collectors/base/clock.h"
#include "tests/soak/board.h"

namespace winperf::soak {

class Timeline {
 public:
  using Time = std::chrono::steady_clock::time_point;

  explicit Timeline(Board& board) : board_(board) {}

  // For the server. pause_until() is for the threads of samples and of facts.
  ClockSource clocks();
  Time now() const;
  Ticks100ns wall_now() const;
  std::chrono::duration<double> elapsed() const;

  // Time is never moved back.
  void advance_to(Time time);
  void advance(std::chrono::nanoseconds time) { advance_to(now() + time); }
  // The wall clock alone is set.
  void set_wall(std::chrono::seconds by);

  // Waits until neither thread has anything to do. Returns when the first wants to go on. Throws if
  // that takes minutes of real time.
  Time wait_until_idle();

 private:
  struct Pause {
    Time until;
    bool is_over = false;
  };

  void pause_until(Time time, const StopToken& stop);

  Board& board_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<Pause*> pauses_;
};

}  // namespace winperf::soak
