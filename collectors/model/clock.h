// The three clocks of performance data as three types, so that timestamps of different clocks can't
// be subtracted from each other.
//   PerfTicks    PERF_DATA_BLOCK.PerfTime, in PerfFreq ticks per second (QueryPerformanceCounter)
//   Ticks100ns   PERF_DATA_BLOCK.PerfTime100nSec, 100 ns since 1601-01-01 UTC (FILETIME)
//   ObjectTicks  PERF_OBJECT_TYPE.PerfTime, in the object's own PerfFreq; both are 0 if it has none
// Values come from providers and are not trusted: elapsed() never overflows. Thread rule: values.
#pragma once

#include <cstdint>
#include <optional>

#include "collectors/base/clock.h"

namespace winperf {

using PerfTicks = TimeStamp<struct PerfClock>;
using ObjectTicks = TimeStamp<struct ObjectClock>;

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

inline constexpr Frequency k100nsFrequency{kTicks100nsPerSecond};

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
