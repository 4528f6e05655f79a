#include "collectors/sources/platform.h"

#include <windows.h>

namespace winperf {

std::wstring perflib_library_path() {
  wchar_t folder[MAX_PATH];
  const UINT length = GetSystemDirectoryW(folder, MAX_PATH);
  if (length == 0 || length >= MAX_PATH) return {};
  return std::wstring(folder, length) + L"\\advapi32.dll";
}

}  // namespace winperf
