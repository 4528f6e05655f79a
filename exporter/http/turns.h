// Which of the clients with long answers are sent to in a round of the front.
//
// They have a limited time, one after the other in a circle, because whoever asks for little
// shouldn't wait for those who ask for much. The time is at least as long as it takes to look at
// all sockets, so that looking never takes more than half of the whole. Thread rule: one thread.
#pragma once

#include <algorithm>
#include <chrono>
#include <utility>

#include "exporter/http/clients.h"

namespace winperf {

class Turns {
 public:
  using Time = Connection::Time;
  static constexpr std::chrono::milliseconds kLeast{4};
  static constexpr std::chrono::milliseconds kMost{200};

  // A round begins. `looked`: how long it took to find out who is ready.
  void begin(Time now, Time::duration looked) {
    // Otherwise it has waited as well.
    if (somebody_waits_) time_ = std::clamp<Time::duration>(looked, kLeast, kMost);
    began_ = now;
    somebody_waits_ = false;
  }
  // The one with whom a round begins, or the next one after it.
  Clients::Id first() const { return first_; }
  // Whether it is sent to in this round, rather than first of all in the next one.
  bool has_turn(Clients::Id id, Time now) {
    if (!somebody_waits_ && now - began_ <= time_) return true;
    if (!std::exchange(somebody_waits_, true)) first_ = id;
    return false;
  }

 private:
  Time::duration time_ = kLeast;
  Time began_;
  Clients::Id first_ = 0;
  bool somebody_waits_ = false;
};

}  // namespace winperf
