// Converts text for calls to Windows: UTF-8 inside the program, UTF-16 in calls.
// Invalid text becomes U+FFFD; embedded NULs are kept. Thread rule: any thread.
#pragma once

#include <functional>
#include <string>
#include <string_view>

namespace winperf {

std::wstring to_wide(std::string_view utf8);
std::string to_utf8(std::wstring_view utf16);

// A path that a function of Windows writes into a buffer of so many characters, and whose length it
// returns. Empty if it can't, or if the path needs more.
std::wstring written_path(const std::function<unsigned long(wchar_t*, unsigned long)>& write);

}  // namespace winperf
