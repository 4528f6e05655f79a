// Converts text for calls to Windows: UTF-8 inside the program, UTF-16 in calls.
// What is invalid in one encoding becomes U+FFFD in the other; embedded NULs are kept.
// Thread rule: any thread.
#pragma once

#include <string>
#include <string_view>

namespace winperf {

std::wstring to_wide(std::string_view utf8);
std::string to_utf8(std::wstring_view utf16);

}  // namespace winperf
