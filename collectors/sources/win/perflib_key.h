// Reads the DWORD values of the performance library's own key,
// HKLM\SOFTWARE\Microsoft\Windows NT\CurrentVersion\Perflib, in the 64-bit view of the registry.
// Thread rule: any thread.
#pragma once

#include <cstdint>
#include <optional>

namespace winperf {

// Nothing where the value is absent, not a DWORD, or may not be read.
std::optional<std::uint32_t> perflib_number(const wchar_t* value_name);

}  // namespace winperf
