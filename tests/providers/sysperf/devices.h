// The devices that the provider's Linkage\Export names, opened by Open and closed by Close.
//
// Validated: nothing. The names come from the system, which terminates their list.
// Thread rule: not for concurrent use. Source: Learn, PM_OPEN_PROC.
#pragma once

#include <windows.h>

#include <string>
#include <vector>

namespace sysperf {

class Devices {
 public:
  // `names`: strings, each terminated by a NUL, and one more NUL at the end; nullptr means no
  // devices. Opens all devices, or none and returns the error of the first that failed.
  DWORD open(const wchar_t* names);
  void close();

  // The device that failed in the last open(), or empty.
  const std::wstring& failed() const { return failed_; }

 private:
  std::vector<HANDLE> handles_;
  std::wstring failed_;
};

}  // namespace sysperf
