// Reads text from the system as UTF-8; the writers replace what isn't valid with U+FFFD. An
// unfinished character counts as one, as in browsers. Thread rule: any thread. Source: Unicode
// Standard 3.9, table 3-7 (well-formed byte sequences).
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace winperf {

inline constexpr std::string_view kReplacementCharacter = "\xEF\xBF\xBD";

struct Utf8Step {
  std::size_t bytes = 0;  // at least 1
  bool valid = false;     // a whole well-formed character
};

// The first character of `text`, which must not be empty.
Utf8Step next_character(std::string_view text);

// Of one whole well-formed character.
char32_t code_point_of(std::string_view character);

// Whether a byte begins a character: it isn't one of the further ones.
constexpr bool starts_character(char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }

// The first characters of UTF-8, at most so many bytes.
constexpr std::string_view clipped(std::string_view text, std::size_t max_bytes) {
  if (text.size() <= max_bytes) return text;
  while (max_bytes > 0 && !starts_character(text[max_bytes])) --max_bytes;
  return text.substr(0, max_bytes);
}

// How many bytes at the beginning of `text` are whole well-formed characters.
std::size_t valid_bytes(std::string_view text);

// Appends one code point (not a surrogate, at most 0x10FFFF).
void append_utf8(std::string& text, char32_t code_point);

// "UTF-16" or "UTF-32" if the first bytes of a text indicate it; empty otherwise. Windows programs
// save such files, and errors should say so.
std::string_view wide_encoding(std::string_view text);

}  // namespace winperf
