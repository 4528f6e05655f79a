#include "tests/providers/sysperf/devices.h"

#include <cwchar>

namespace sysperf {

DWORD Devices::open(const wchar_t* names) {
  failed_.clear();
  for (; names != nullptr && *names != L'\0'; names += std::wcslen(names) + 1) {
    const HANDLE device = CreateFileW(names, GENERIC_READ, FILE_SHARE_READ | FILE_SHARE_WRITE,
                                      nullptr, OPEN_EXISTING, FILE_ATTRIBUTE_NORMAL, nullptr);
    if (device == INVALID_HANDLE_VALUE) {
      const DWORD error = GetLastError();
      close();
      failed_ = names;
      return error;
    }
    handles_.push_back(device);
  }
  return ERROR_SUCCESS;
}

void Devices::close() {
  for (const HANDLE device : handles_) CloseHandle(device);
  handles_.clear();
}

}  // namespace sysperf
