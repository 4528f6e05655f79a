// The simulated time of a soak: it stands still while anybody works, and is moved on by the driver
// when the threads of samples and of facts, and that of looks if it is to look again, wait for
// their next rounds, or by one where it waits for a worker.
//
// So thirty days take as long as their work. What really takes time (worker processes, HTTP) has
// real deadlines. Thread rule: any thread; those three pause.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <memory>
#include <mutex>
#include <vector>

#include "collectors/base/clock.h"
#include "tests/soak/board.h"

namespace winperf::soak {

class Timeline {
 public:
  using Time = std::chrono::steady_clock::time_point;

  explicit Timeline(Board& board) : board_(board) {}

  // For the server. pause_until() is for the threads that have rounds.
  ClockSource clocks();
  Time now() const;
  Ticks100ns wall_now() const;
  std::chrono::duration<double> elapsed() const;

  // Time is never moved back.
  void advance_to(Time time);
  void advance(std::chrono::nanoseconds time) { advance_to(now() + time); }
  // The wall clock alone is set.
  void set_wall(std::chrono::seconds by);

  // Waits until no such thread has anything to do. Returns when the first wants to go on. Throws if
  // that takes minutes of real time.
  Time wait_until_idle();
  // How many threads pause beside those of samples and of facts: one while a look has to be
  // repeated.
  std::size_t others() const;

 private:
  struct Pause {
    Time until;
    bool is_over = false;
  };

  // What ends with a thread that has paused. It may end after the timeline.
  class Participation;
  struct State {
    std::mutex mutex;
    std::condition_variable changed;
    std::vector<Pause*> pauses{};
    std::size_t participants = 0;
  };

  void pause_until(Time time, const StopToken& stop);

  Board& board_;
  const std::shared_ptr<State> state_ = std::make_shared<State>();
};

}  // namespace winperf::soak
