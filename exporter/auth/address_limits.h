// How often something may come from each address: once each interval, and `burst` times at once
// after a pause. Of the addresses, those that came last are remembered. Thread rule: one thread.
#pragma once

#include <algorithm>
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
  [[nodiscard]] bool take(const std::string& address, Time now) {
    if (!addresses_.contains(address) && addresses_.size() >= kMostAddresses)
      addresses_.erase(std::ranges::min_element(
          addresses_, {}, [](const auto& entry) { return entry.second.last; }));
    Came& came = addresses_.try_emplace(address, Came{.left = burst_}).first->second;
    came.last = now;
    if (interval_.count() <= 0) return true;
    if (came.left == burst_ || now < came.filled) came.filled = std::max(came.filled, now);
    const std::int64_t due = (now - came.filled) / interval_;
    came.filled += due * interval_;
    came.left = std::min(burst_, came.left + std::min(due, burst_));
    if (came.left == 0) return false;
    --came.left;
    return true;
  }
  // What was taken last counts no more.
  void give_back(const std::string& address) {
    const auto found = addresses_.find(address);
    if (found != addresses_.end()) found->second.left = std::min(burst_, found->second.left + 1);
  }

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
