// Shared by the sources of local and remote registries: RegQueryValueExW as QueryPolicy calls it,
// and Perflib's values. Thread rule: that of the key.
#pragma once

#include <windows.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "collectors/base/win/key_reader.h"
#include "collectors/sources/query_policy.h"

namespace winperf {

// Reads a value into the first `usable` bytes of `buffer`. Each call gets a new DWORD for the size,
// which is undefined after a failure.
inline std::uint32_t query_value(HKEY key, const std::wstring& value_name,
                                 std::span<std::byte> buffer, std::size_t usable,
                                 std::size_t& size) {
  DWORD reported = static_cast<DWORD>(usable);
  const LSTATUS status = RegQueryValueExW(key, value_name.c_str(), nullptr, nullptr,
                                          reinterpret_cast<BYTE*>(buffer.data()), &reported);
  size = reported;
  return static_cast<std::uint32_t>(status);
}

// The same for a block of the performance data.
inline std::uint32_t query_block(HKEY key, const std::wstring& value_name, const WineQuirk& quirk,
                                 std::span<std::byte> buffer, std::size_t& size) {
  const std::uint32_t os_code =
      query_value(key, value_name, buffer, quirk.usable(buffer.size()), size);
  if (os_code == ERROR_SUCCESS) quirk.repair(buffer, size);
  return os_code;
}

// The system reads an empty name as "Global", the most expensive query there is, and a name that
// begins with NUL is empty to it. Wine crashes on a null one.
inline std::optional<Error> problem_of(std::string_view value_name) {
  if (!value_name.empty() && !value_name.contains('\0')) return std::nullopt;
  return Error{.code = ErrorCode::kNoSuchName, .where = "registry.value_name"};
}

inline WineQuirk wine_quirk() {
  const HMODULE ntdll = GetModuleHandleW(L"ntdll.dll");
  return WineQuirk(ntdll != nullptr && GetProcAddress(ntdll, "wine_get_version") != nullptr);
}

// `key`: Perflib's.
inline std::uint64_t generation_in(const KeyReader& key) {
  const std::uint64_t last_counter = key.number(L"Last Counter").value_or(0);
  const std::uint64_t last_help = key.number(L"Last Help").value_or(0);
  return last_counter << 32 | last_help;
}

// Sizes that such a call can take.
inline QueryLimits in_dword_range(QueryLimits limits) {
  limits.max_bytes =
      std::min<std::size_t>(limits.max_bytes, std::numeric_limits<std::int32_t>::max());
  return limits;
}

}  // namespace winperf
