// Functions of ntdll.dll. They are looked up, not linked: its import library has functions of the C
// library, too. Thread rule: any thread.
#pragma once

#include <windows.h>

#include <bit>
#include <expected>
#include <vector>

#include "collectors/facts/process_list.h"
#include "collectors/model/error.h"

namespace winperf {

// Null if this Windows doesn't have it.
template <class Function>
Function ntdll_function(const char* name) {
  return std::bit_cast<Function>(GetProcAddress(GetModuleHandleW(L"ntdll.dll"), name));
}

// Windows' code for an NTSTATUS.
inline DWORD code_of_status(LONG status) {
  const auto convert = ntdll_function<ULONG(WINAPI*)(LONG)>("RtlNtStatusToDosError");
  return convert != nullptr ? convert(status) : static_cast<DWORD>(status);
}

// All processes of this machine: no right is needed for that. Thread rule: any thread.

[[nodiscard]] std::expected<std::vector<ProcessEntry>, Error> all_processes();

}  // namespace winperf
