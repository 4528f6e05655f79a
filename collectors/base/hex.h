// Numbers in hexadecimal, as documentation writes codes and types: "0x00410400".
// Thread rule: any thread.
#pragma once

#include <charconv>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <string>

namespace winperf {

// The lower four bits, as one digit in lower case.
constexpr char hex_digit(unsigned number) { return "0123456789abcdef"[number & 0xFU]; }

// The digits alone, in upper case, at least so many.
inline std::string upper_hex(std::uint64_t number, std::size_t min_digits = 1) {
  std::string text;
  for (; number != 0 || text.size() < min_digits; number >>= 4U)
    text.insert(text.begin(), "0123456789ABCDEF"[number & 0xFU]);
  return text;
}

// The digits alone, in lower case, without zeros in front.
inline std::string short_hex(std::uint64_t number) {
  char digits[2 * sizeof number];
  return {digits, std::to_chars(digits, digits + sizeof digits, number, 16).ptr};
}

// All digits of the type, in lower case.
template <std::unsigned_integral Number>
std::string hex(Number number) {
  std::string text(2 + 2 * sizeof number, '0');
  text[1] = 'x';
  for (std::size_t at = text.size(); number != 0; number = static_cast<Number>(number >> 4))
    text[--at] = hex_digit(static_cast<unsigned>(number & 0xFU));
  return text;
}

}  // namespace winperf
