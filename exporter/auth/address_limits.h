// How often something may come from each address: once each interval, and `burst` times at once
// after a pause. Of the addresses, those that came last are remembered. Thread rule: one thread.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>

#include "exporter/auth/token_bucket.h"

namespace winperf {

class AddressLimits {
 public:
  using Time = TokenBucket::Time;

  static constexpr std::size_t kMostAddresses = 1024;

  AddressLimits(std::chrono::milliseconds interval, std::int64_t burst) : fresh_(interval, burst) {}

  // Whether another one of this address may come now.
  [[nodiscard]] bool take(const std::string& address, Time now);
  // What was taken last counts no more.
  void give_back(const std::string& address);

 private:
  struct Came {
    TokenBucket left;
    Time last{};
  };

  const TokenBucket fresh_;
  std::map<std::string, Came> addresses_;
};

}  // namespace winperf
