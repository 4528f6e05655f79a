#include "collectors/base/printable.h"

#include <algorithm>

#include "collectors/base/ascii.h"
#include "collectors/base/hex.h"
#include "collectors/base/utf8.h"

namespace winperf {
namespace {

bool is_obeyed(char32_t c) {
  const bool is_control = c < 0x20 || (c >= 0x7F && c <= 0x9F);
  const bool is_separator = c == 0x2028 || c == 0x2029;
  const bool is_direction = (c >= 0x202A && c <= 0x202E) || (c >= 0x2066 && c <= 0x2069);
  return is_control || is_separator || is_direction;
}

// Without the "0x" in front.
template <std::unsigned_integral Number>
std::string digits_of(Number number) {
  return hex(number).substr(2);
}

void append_character(std::string& out, std::string_view character, bool is_valid) {
  if (!is_valid) {
    for (const char c : character) out += "\\x" + digits_of(static_cast<unsigned char>(c));
    return;
  }
  const char32_t code_point = code_point_of(character);
  if (is_obeyed(code_point))
    out += "\\u" + digits_of(static_cast<std::uint16_t>(code_point));
  else
    out += character;
}

std::string shown(std::string_view text, bool keeps_lines) {
  if (std::ranges::all_of(text, is_printable_ascii)) return std::string(text);
  std::string out;
  out.reserve(text.size() + 16);
  while (!text.empty()) {
    const Utf8Step step = next_character(text);
    const std::string_view character = text.substr(0, step.bytes);
    if (keeps_lines && character == "\n") {
      out += '\n';
    } else {
      append_character(out, character, step.valid);
    }
    text.remove_prefix(step.bytes);
  }
  return out;
}

}  // namespace

std::string printable(std::string_view text) { return shown(text, false); }

std::string printable_lines(std::string_view text) { return shown(text, true); }

}  // namespace winperf
