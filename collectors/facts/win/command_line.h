// The command lines of other processes, as far as this process may know them.
// Thread rule: any thread.
#pragma once

#include <windows.h>

#include <expected>
#include <optional>
#include <string>

#include "collectors/facts/win/returned_buffer.h"

namespace winperf {

// Windows' answer: a UNICODE_STRING at the begin, whose text is somewhere in the answer.
std::optional<std::string> command_line_in(ReturnedBuffer& answer);

// Empty: the process has none. The handle has PROCESS_QUERY_LIMITED_INFORMATION. The error is
// Windows' code; Windows tells since version 8.1, Wine 8 doesn't.
[[nodiscard]] std::expected<std::string, DWORD> command_line_of(HANDLE process);

}  // namespace winperf
