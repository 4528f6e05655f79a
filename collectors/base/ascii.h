// Kinds of ASCII characters, and comparing text regardless of the case of its letters, in the same
// way in every locale. Letters outside ASCII stay as they are; Windows' counter names are compared
// this way in every language. Thread rule: any thread.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>

namespace winperf {

constexpr char ascii_lower(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}
constexpr char16_t ascii_lower(char16_t unit) {
  return unit >= u'A' && unit <= u'Z' ? static_cast<char16_t>(unit - u'A' + u'a') : unit;
}

constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }
constexpr bool is_letter(char c) { return ascii_lower(c) >= 'a' && ascii_lower(c) <= 'z'; }
constexpr bool is_letter_or_digit(char c) { return is_letter(c) || is_digit(c); }

// Letters, digits, punctuation and the blank.
constexpr bool is_printable_ascii(char c) { return c >= ' ' && c <= '~'; }

inline std::string ascii_lower(std::string_view text) {
  std::string lower(text);
  for (char& c : lower) c = ascii_lower(c);
  return lower;
}

// The case of object, counter and instance names doesn't matter.
constexpr bool equal_names(std::string_view a, std::string_view b) {
  return std::ranges::equal(a, b, [](char x, char y) { return ascii_lower(x) == ascii_lower(y); });
}
constexpr bool equal_names(std::u16string_view a, std::u16string_view b) {
  return std::ranges::equal(
      a, b, [](char16_t x, char16_t y) { return ascii_lower(x) == ascii_lower(y); });
}

}  // namespace winperf
