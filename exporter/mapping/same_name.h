// Names are compared as Windows does: without regard to the case of ASCII letters. A log has them
// as they were typed when the log was set up.
#pragma once

#include <algorithm>
#include <string_view>

namespace winperf {

inline bool same_name(std::string_view a, std::string_view b) {
  const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; };
  return std::ranges::equal(a, b, {}, lower, lower);
}

}  // namespace winperf
