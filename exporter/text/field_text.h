// Reading the values of HTTP fields. Thread rule: pure function. Source: RFC 9110, section 5.6.3.
#pragma once

#include <string_view>

namespace winperf {

// Without the blanks and tabs around it.
inline std::string_view trimmed(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(" \t");
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(" \t") - begin + 1);
}

}  // namespace winperf
