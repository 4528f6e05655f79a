// Whether V1 providers share a process: when they are parted, and when they are together again.
//
// With Isolation::kAuto all are together until harm is done; then each is alone. After an hour in
// which nobody else was accused, those that have done no harm share a process again; when nobody is
// kept apart any more, the system's own query reads all of them. If they have to be parted again
// within a day, the next hour is two, and so on up to a day. One timeout that nobody can be named
// for is forgiven once an hour.
//
// A provider that has done harm is kept apart for an hour after its last one; twice as long each
// time that it does harm again after it was let back, up to a day. One that has done none for a day
// since then begins anew. Thread rule: one thread.
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "collectors/base/back_off.h"
#include "collectors/model/worker_state.h"

namespace winperf {

class Sharing {
 public:
  using Time = std::chrono::steady_clock::time_point;
  static constexpr std::chrono::hours kFirstTerm{1};
  static constexpr std::chrono::hours kLastTerm{24};
  static constexpr std::chrono::hours kFirstQuiet{1};
  static constexpr std::chrono::hours kLastQuiet{24};
  static constexpr std::chrono::hours kForgiveness{1};

  enum class Mode : std::uint8_t {
    kTogether,   // in the system's own query
    kParted,     // each alone
    kInnocents,  // those who have done no harm are together
  };

  explicit Sharing(Isolation isolation)
      : isolation_(isolation),
        mode_(isolation == Isolation::kHosts ? Mode::kParted : Mode::kTogether) {}

  Mode mode() const { return mode_; }
  // Time has passed. Returns whether providers that were parted are together now.
  bool pass(Time now);
  void part(Time now);
  // Returns whether the provider was with the others until now.
  bool accuse(std::string_view service, Time now);
  // Whether it needs a process of its own.
  bool is_apart(std::string_view service, Time now) const;
  // For how long it is kept apart; zero if it isn't for its own harm.
  Time::duration left(std::string_view service, Time now) const;
  // Whether a timeout without a name is overlooked.
  bool forgives(Time now);

 private:
  // How long a culprit is kept apart; until a time that has passed if it isn't.
  struct Term {
    BackOff length{kFirstTerm, kLastTerm};
    Time until{};
  };

  Isolation isolation_;
  Mode mode_;
  std::map<std::string, Term, std::less<>> terms_;  // by service, of which a machine has few
  Time quiet_since_{};                              // nobody else was accused, or parted
  BackOff quiet_{kFirstQuiet, kLastQuiet};          // how long that has to last
  std::optional<Time> rejoined_at_;                 // the last time
  std::optional<Time> forgave_at_;
};

}  // namespace winperf
