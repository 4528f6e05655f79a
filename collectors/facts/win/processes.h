// The command lines of other processes, as far as this process may know them, and the names of the
// accounts that they run as. Thread rule: one thread.
#pragma once

#include <windows.h>

#include <expected>
#include <map>
#include <optional>
#include <string>

#include "collectors/facts/win/returned_buffer.h"

namespace winperf {

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
