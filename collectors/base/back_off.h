// How long to wait before something is tried again: twice as long each time, up to a limit.
// Thread rule: values.
#pragma once

#include <algorithm>
#include <chrono>

namespace winperf {

// Before the attempt after so many in a row, at least one. It doubles no more than eight times.
constexpr std::chrono::nanoseconds back_off(std::chrono::nanoseconds first, unsigned times,
                                            std::chrono::nanoseconds last) {
  constexpr unsigned kMaxDoublings = 8;
  return std::min(last, first * (1U << std::min(times - 1, kMaxDoublings)));
}

class BackOff {
 public:
  constexpr BackOff(std::chrono::nanoseconds first, std::chrono::nanoseconds last)
      : first_(first), last_(last) {}

  // The next wait is the first one.
  constexpr void reset() { times_ = 0; }
  // Begins another wait, and returns its length.
  constexpr std::chrono::nanoseconds next() {
    ++times_;
    return length();
  }
  // Of the present wait; zero if there is none.
  constexpr std::chrono::nanoseconds length() const {
    return times_ == 0 ? std::chrono::nanoseconds::zero() : back_off(first_, times_, last_);
  }

 private:
  std::chrono::nanoseconds first_;
  std::chrono::nanoseconds last_;
  unsigned times_ = 0;
};

}  // namespace winperf
