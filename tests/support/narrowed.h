// narrowed(): UTF-16 of ASCII characters as a std::string. A std::string made of the range itself
// converts each unit implicitly, which MSVC warns of in its own headers.
#pragma once

#include <string>
#include <string_view>

namespace winperf::testing {

inline std::string narrowed(std::u16string_view ascii) {
  std::string text;
  for (const char16_t unit : ascii) text += static_cast<char>(unit);
  return text;
}

}  // namespace winperf::testing
