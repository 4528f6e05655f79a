// Numbers that Windows stores in two halves. Thread rule: any thread.
#pragma once

#include <windows.h>

#include <cstdint>

#include "collectors/base/clock.h"

namespace winperf {

constexpr std::uint64_t joined(DWORD high, DWORD low) { return std::uint64_t{high} << 32U | low; }

// 100 ns; since 1601, if it isn't a duration.
constexpr std::uint64_t ticks_of(const FILETIME& time) {
  return joined(time.dwHighDateTime, time.dwLowDateTime);
}

constexpr Ticks100ns time_of(const FILETIME& time) {
  return {static_cast<std::int64_t>(ticks_of(time))};
}

}  // namespace winperf
