// Whether the tests run under Wine, which lacks some of what Windows has.
#pragma once

#include <windows.h>

namespace winperf::testing {

inline bool under_wine() {
  return GetProcAddress(GetModuleHandleW(L"ntdll.dll"), "wine_get_version") != nullptr;
}

}  // namespace winperf::testing
