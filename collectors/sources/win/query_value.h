// RegQueryValueExW as QueryPolicy calls it, for the sources of this machine's and of other
// machines' registries. Thread rule: that of the key.
#pragma once

#include <windows.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string>

#include "collectors/sources/query_policy.h"

namespace winperf {

// Reads a value into the first `usable` bytes of `buffer`. Each call gets a DWORD of its own for
// the size, which is undefined after a failure.
inline std::uint32_t query_value(HKEY key, const std::wstring& value_name,
                                 std::span<std::byte> buffer, std::size_t usable,
                                 std::size_t& size) {
  DWORD reported = static_cast<DWORD>(usable);
  const LSTATUS status = RegQueryValueExW(key, value_name.c_str(), nullptr, nullptr,
                                          reinterpret_cast<BYTE*>(buffer.data()), &reported);
  size = reported;
  return static_cast<std::uint32_t>(status);
}

// Sizes that such a call can take.
inline QueryLimits in_dword_range(QueryLimits limits) {
  limits.max_bytes =
      std::min<std::size_t>(limits.max_bytes, std::numeric_limits<std::int32_t>::max());
  return limits;
}

}  // namespace winperf
