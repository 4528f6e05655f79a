// The processes of this machine, their command lines and the names of accounts, as far as this
// process may know them; and functions of ntdll.dll, which are looked up, not linked: its import
// library has functions of the C library, too. Thread rule: any thread; AccountNames: one.
#pragma once

#include <windows.h>

#include <bit>
#include <expected>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "collectors/facts/process_list.h"
#include "collectors/facts/win/returned_buffer.h"
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

// All of them: no right is needed for that.
[[nodiscard]] std::expected<std::vector<ProcessEntry>, Error> all_processes();

// Windows' answer: a UNICODE_STRING at the begin, whose text is somewhere in the answer.
std::optional<std::string> command_line_in(ReturnedBuffer& answer);

// Empty: the process has none. The handle has PROCESS_QUERY_LIMITED_INFORMATION. The error is
// Windows' code; Windows tells since version 8.1, Wine 8 doesn't.
[[nodiscard]] std::expected<std::string, DWORD> command_line_of(HANDLE process);

// Names of accounts (account_name()), each of which is looked up once.
class AccountNames {
 public:
  const std::string& of(PSID sid);

 private:
  std::map<std::string, std::string> names_;  // by the bytes of the SID
};

}  // namespace winperf
