// The three clocks of performance data as three types, so that timestamps of different clocks can't
// be subtracted from each other.
//   PerfTicks    PERF_DATA_BLOCK.PerfTime, in PerfFreq ticks per second (QueryPerformanceCounter)
//   Ticks100ns   PERF_DATA_BLOCK.PerfTime100nSec, 100 ns since 1601-01-01 UTC (FILETIME)
//   ObjectTicks  PERF_OBJECT_TYPE.PerfTime, in the object's own PerfFreq; both are 0 if it has none
// Values come from providers and are not trusted: elapsed() never overflows. Thread rule: values.
#pragma once

#include <chrono>
#include <compare>
#include <cstdint>
#include <optional>

namespace winperf {

// The clock of ages and deadlines, which nobody sets.
using SteadyTime = std::chrono::steady_clock::time_point;

template <class Clock>
struct TimeStamp {
  std::int64_t ticks = 0;
  auto operator<=>(const TimeStamp&) const = default;
};

using PerfTicks = TimeStamp<struct PerfClock>;
using Ticks100ns = TimeStamp<struct FileTimeClock>;
using ObjectTicks = TimeStamp<struct ObjectClock>;

// One point in time, on the clock of ages and on that of people.
struct Instant {
  SteadyTime steady{};
  Ticks100ns wall{};
  bool operator==(const Instant&) const = default;
};

// Ticks from `from` to `to`; empty if the clock ran backwards.
template <class Clock>
constexpr std::optional<std::uint64_t> elapsed(TimeStamp<Clock> from, TimeStamp<Clock> to) {
  if (to < from) return std::nullopt;
  return static_cast<std::uint64_t>(to.ticks) - static_cast<std::uint64_t>(from.ticks);
}

struct Frequency {
  std::int64_t ticks_per_second = 0;
  constexpr bool valid() const { return ticks_per_second > 0; }
  bool operator==(const Frequency&) const = default;
};

inline constexpr Frequency k100nsFrequency{10'000'000};

// 100 ns from 1601-01-01 (FILETIME) to 1970-01-01 (Unix).
inline constexpr std::int64_t kUnixEpoch100ns = 116'444'736'000'000'000;

// Seconds since 1970.
constexpr double unix_seconds(Ticks100ns time) {
  return static_cast<double>(time.ticks - kUnixEpoch100ns) / 1e7;
}

// When one object was sampled, on all three clocks.
struct Clocks {
  PerfTicks perf_time{};
  Frequency perf_frequency{};
  Ticks100ns time_100ns{};
  ObjectTicks object_time{};
  Frequency object_frequency{};
  bool operator==(const Clocks&) const = default;
};

}  // namespace winperf
