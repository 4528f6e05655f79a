// Text that is a decimal number as a whole: digits without sign, blank or anything else.
// Thread rule: any thread.
#pragma once

#include <charconv>
#include <concepts>
#include <optional>
#include <string_view>
#include <system_error>

namespace winperf {

// Nothing if the text is no such number, or if it is too large.
template <std::unsigned_integral Number>
std::optional<Number> whole_decimal(std::string_view text) {
  Number number = 0;
  const char* const end = text.data() + text.size();
  const auto [stopped, error] = std::from_chars(text.data(), end, number);
  if (error != std::errc() || stopped != end) return std::nullopt;
  return number;
}

}  // namespace winperf
