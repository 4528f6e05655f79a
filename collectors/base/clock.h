// This machine's clocks: the steady one for ages and deadlines, and the wall clock. Both are passed
// in as a value, so that tests control them. Thread rule: values.
#pragma once

#include <chrono>
#include <compare>
#include <cstdint>
#include <functional>

#include "collectors/base/stop.h"

namespace winperf {

// The clock for ages and deadlines, which is never adjusted.
using SteadyTime = std::chrono::steady_clock::time_point;

// A time of one clock; those of different clocks are different types.
template <class Clock>
struct TimeStamp {
  std::int64_t ticks = 0;
  auto operator<=>(const TimeStamp&) const = default;
};

// 100 ns since 1601-01-01 UTC (FILETIME).
using Ticks100ns = TimeStamp<struct FileTimeClock>;
inline constexpr std::int64_t kTicks100nsPerSecond = 10'000'000;
// From 1601-01-01 to 1970-01-01 (Unix).
inline constexpr std::int64_t kUnixEpoch100ns = 116'444'736'000'000'000;

// Seconds since 1970.
constexpr double unix_seconds(Ticks100ns time) {
  return static_cast<double>(time.ticks - kUnixEpoch100ns) / 1e7;
}

// One point in time on both clocks.
struct Instant {
  SteadyTime steady{};
  Ticks100ns wall{};
  bool operator==(const Instant&) const = default;
};

struct ClockSource {
  std::function<SteadyTime()> steady_now;
  std::function<Ticks100ns()> wall_now;
  // Returns at that time of steady_now, or earlier if a stop is requested.
  std::function<void(SteadyTime, const StopToken&)> pause_until = winperf::pause_until;

  Instant now() const { return {steady_now(), wall_now()}; }
};

// This machine's clocks.
[[nodiscard]] inline ClockSource system_clocks() {
  using Ticks = std::chrono::duration<std::int64_t, std::ratio<1, kTicks100nsPerSecond>>;
  return {.steady_now = [] { return std::chrono::steady_clock::now(); },
          .wall_now =
              [] {
                const auto since_unix = std::chrono::system_clock::now().time_since_epoch();
                return Ticks100ns{std::chrono::duration_cast<Ticks>(since_unix).count() +
                                  kUnixEpoch100ns};
              }};
}

}  // namespace winperf
