// Which of the clients that shake hands have a turn in a round of the front.
//
// A handshake takes the processor for a millisecond or more. Together they have a limited time,
// which is only what they take themselves, one after the other in a circle: who had no turn in a
// round is the first of the next one. Thread rule: one thread.
#pragma once

#include <chrono>
#include <utility>

#include "exporter/http/clients.h"

namespace winperf {

class HandshakeTurns {
 public:
  using Duration = Connection::Time::duration;
  static constexpr std::chrono::milliseconds kMost{20};

  // A round begins.
  void begin() {
    used_ = {};
    somebody_waits_ = false;
  }
  // The one with whom a round begins, or the next one after it.
  Clients::Id first() const { return first_; }
  // Whether it has a turn in this round, rather than first of all in the next one.
  bool has_turn(Clients::Id id) {
    if (!somebody_waits_ && used_ < kMost) return true;
    if (!std::exchange(somebody_waits_, true)) first_ = id;
    return false;
  }
  // How long a turn was.
  void took(Duration time) { used_ += time; }

 private:
  Duration used_{};
  Clients::Id first_ = 0;
  bool somebody_waits_ = false;
};

}  // namespace winperf
