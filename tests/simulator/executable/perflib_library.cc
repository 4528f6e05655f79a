// PerfLib's functions come from the simulator's DLL, which lies beside the executable.
#include "collectors/sources/platform.h"

#include <windows.h>

namespace winperf {

std::wstring perflib_library_path() {
  wchar_t file[MAX_PATH];
  const DWORD length = GetModuleFileNameW(nullptr, file, MAX_PATH);
  if (length == 0 || length >= MAX_PATH) return {};
  const std::wstring path(file, length);
  return path.substr(0, path.rfind(L'\\') + 1) + L"perflib_simulator.dll";
}

}  // namespace winperf
