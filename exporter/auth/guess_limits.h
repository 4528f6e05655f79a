// How many wrong passwords come from each address: ten at once, and one more each second.
// Thread rule: one thread.
#pragma once

#include <map>
#include <string>

#include "exporter/auth/token_bucket.h"

namespace winperf {

class GuessLimits {
 public:
  using Time = TokenBucket::Time;

  static constexpr std::size_t kMostAddresses = 1024;
  static constexpr int kWrongAtOnce = 10;

  // Whether another password of this address may be compared now.
  [[nodiscard]] bool take(const std::string& address, Time now);
  // It was a right one.
  void give_back(const std::string& address);

 private:
  struct Guesses {
    TokenBucket left;
    Time last{};
  };

  std::map<std::string, Guesses> addresses_;
};

}  // namespace winperf
