// What Windows refuses, as errors of a topic and as sentences about a part of it.
// Thread rule: any thread.
#pragma once

#include <windows.h>

#include <expected>
#include <string>
#include <string_view>

#include "collectors/model/error.h"

namespace winperf {

// Of a function that answers with a Win32 code.
std::unexpected<Error> os_failure(DWORD code, const char* where);

// "The size of C:\pagefile.sys can't be read: Access is denied (Windows error 5)"
std::string problem_text(std::string_view what, DWORD code);

}  // namespace winperf
