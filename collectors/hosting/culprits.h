// Which providers have done harm, and until when they are kept apart from the others: for an hour
// after their last harm; twice as long each time that they do harm again after they were let back,
// up to a day. One that has done none for a day since then begins anew.
// Thread rule: one thread.
#pragma once

#include <chrono>
#include <map>
#include <string>
#include <string_view>

#include "collectors/base/back_off.h"

namespace winperf {

class Culprits {
 public:
  using Time = std::chrono::steady_clock::time_point;
  static constexpr std::chrono::hours kFirstTerm{1};
  static constexpr std::chrono::hours kLastTerm{24};

  // Returns whether it was with the others until now.
  bool accuse(std::string_view service, Time now);
  bool is_apart(std::string_view service, Time now) const { return until(service) > now; }
  // Until when it is kept apart; a time that has passed if it isn't.
  Time until(std::string_view service) const;
  bool any_apart(Time now) const;

 private:
  struct Term {
    BackOff length{kFirstTerm, kLastTerm};
    Time until{};
  };
  std::map<std::string, Term, std::less<>> terms_;  // by service, of which a machine has few
};

}  // namespace winperf
