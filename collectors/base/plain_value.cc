#include "collectors/base/plain_value.h"

#include <algorithm>

#include "collectors/base/printable.h"
#include "collectors/base/utf8.h"

namespace winperf {

std::optional<std::string> why_not_plain(std::string_view value) {
  const auto at = std::ranges::find_if(
      value, [](char c) { return c == '"' || static_cast<unsigned char>(c) < 0x20 || c == 0x7F; });
  if (at == value.end()) return std::nullopt;
  const auto number = std::count_if(value.begin(), at, starts_character) + 1;
  const std::string what =
      *at == '"' ? "a quotation mark" : "the control character " + printable(std::string(1, *at));
  return "has " + what + " at character " + std::to_string(number);
}

std::string quoted_argument(std::string_view argument) {
  std::string quoted = "\"";
  std::size_t backslashes = 0;
  for (const char c : argument) {
    // Backslashes are doubled only before a quote, which is escaped, too.
    if (c == '"') quoted.append(backslashes + 1, '\\');
    backslashes = c == '\\' ? backslashes + 1 : 0;
    quoted += c;
  }
  quoted.append(backslashes, '\\');
  return quoted + '"';
}

}  // namespace winperf
