// How often something may come from each address: once each interval, and `burst` times at once
// after a pause. Of the addresses, those that came last are remembered. Thread rule: one thread.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>

namespace winperf {

class AddressLimits {
 public:
  using Time = std::chrono::steady_clock::time_point;

  static constexpr std::size_t kMostAddresses = 1024;

  AddressLimits(std::chrono::milliseconds interval, std::int64_t burst)
      : interval_(interval), burst_(burst) {}

  // Whether another one of this address may come now.
  [[nodiscard]] bool take(const std::string& address, Time now);
  // What was taken last counts no more.
  void give_back(const std::string& address);

 private:
  struct Came {
    std::int64_t left;  // that may come
    Time filled{};      // up to when `left` has what the time brings
    Time last{};
  };

  const std::chrono::milliseconds interval_;
  const std::int64_t burst_;
  std::map<std::string, Came> addresses_;
};

}  // namespace winperf
