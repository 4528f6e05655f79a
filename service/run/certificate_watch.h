// When it is said that certificates expire, have expired or aren't valid yet: at once, when what is
// to be said of an address is something else, and then once a day, because a log is read later than
// it is written. Thread rule: one thread. Time is an argument.
#pragma once

#include <chrono>
#include <map>
#include <string>
#include <vector>

#include "collectors/model/clock.h"
#include "service/run/listeners.h"

namespace winperf {

class CertificateWatch {
 public:
  static constexpr std::chrono::hours kAgainAfter{24};

  // Those of `current` that are to be told now.
  [[nodiscard]] std::vector<AddressNotices> due(std::vector<AddressNotices> current,
                                                SteadyTime now);
  // The certificates of this address were read again.
  void begin_anew(const std::string& address) { told_.erase(address); }

 private:
  struct Told {
    std::vector<std::string> notices;
    SteadyTime at{};
  };
  std::map<std::string, Told> told_;  // by address
};

}  // namespace winperf
