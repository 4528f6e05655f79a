// The devices that the provider's Linkage\Export names, opened by Open and closed by Close.
//
// Validated: nothing; the names come from the system, which ends their list. Not for concurrent
// use. Source: Learn, PM_OPEN_PROC.
#pragma once

#include <windows.h>

#include <string>
#include <vector>

namespace sysperf {

class Devices {
 public:
  // `names`: strings with a NUL behind each and one more at the end, or nullptr: no devices.
  // All are open then, or none, and the error of the one that failed.
  DWORD open(const wchar_t* names);
  void close();

  // Which one failed in the last open(); empty if none did.
  const std::wstring& failed() const { return failed_; }

 private:
  std::vector<HANDLE> handles_;
  std::wstring failed_;
};

}  // namespace sysperf
