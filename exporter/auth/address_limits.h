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

// A limit of how often something may happen: once each interval, and `burst` times at once after a
// pause. Thread rule: one thread.
class TokenBucket {
 public:
  using Time = std::chrono::steady_clock::time_point;

  // It is full at first.
  TokenBucket(std::chrono::milliseconds interval, std::int64_t burst)
      : interval_(interval), burst_(burst), tokens_(burst) {}

  // Whether it may happen now.
  [[nodiscard]] bool take(Time now) {
    if (interval_.count() <= 0) return true;
    refill(now);
    if (tokens_ == 0) return false;
    --tokens_;
    return true;
  }
  // What was taken last counts no more.
  void give_back() { tokens_ = std::min(burst_, tokens_ + 1); }

 private:
  void refill(Time now) {
    if (tokens_ == burst_ || now < filled_) filled_ = std::max(filled_, now);
    const std::int64_t due = (now - filled_) / interval_;
    filled_ += due * interval_;
    tokens_ = std::min(burst_, tokens_ + std::min(due, burst_));
  }

  const std::chrono::milliseconds interval_;
  const std::int64_t burst_;
  std::int64_t tokens_;
  Time filled_{};
};

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
