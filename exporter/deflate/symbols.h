// The symbols for lengths and distances, and the bits that follow them. Source: RFC 1951, section
// 3.2.5, whose tables are what these functions compute.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

namespace winperf::deflate {

inline constexpr unsigned kShortestLength = 3;
inline constexpr unsigned kLongestLength = 258;
inline constexpr unsigned kLongestDistance = 32768;

// The symbols below are the 256 bytes.
inline constexpr unsigned kEndOfBlock = 256;
inline constexpr unsigned kFirstLength = 257;
inline constexpr unsigned kLiteralSymbols = 286;
inline constexpr unsigned kDistanceSymbols = 30;

// A symbol for several values, and the bits that say which of them it is.
struct Symbol {
  unsigned symbol = 0;
  unsigned extra = 0;
  unsigned extra_bits = 0;
};

// Each power of two has 2^kKept symbols: a symbol holds the highest bits, and the others follow it.
template <unsigned kKept>
constexpr Symbol symbol_of(unsigned value) {
  if (value < 2U << kKept) return {value, 0, 0};
  const unsigned extra_bits = static_cast<unsigned>(std::bit_width(value)) - 1 - kKept;
  const unsigned highest = value >> extra_bits;
  return {(extra_bits << kKept) + highest, value - (highest << extra_bits), extra_bits};
}

// The longest length has a separate symbol.
inline constexpr auto kLengthSymbols = [] {
  std::array<Symbol, kLongestLength + 1> symbols{};
  for (unsigned length = kShortestLength; length < kLongestLength; ++length) {
    symbols[length] = symbol_of<2>(length - kShortestLength);
    symbols[length].symbol += kFirstLength;
  }
  symbols[kLongestLength].symbol = kLiteralSymbols - 1;
  return symbols;
}();

constexpr const Symbol& length_symbol(unsigned length) { return kLengthSymbols[length]; }

constexpr Symbol distance_symbol(unsigned distance) { return symbol_of<1>(distance - 1); }

// How many bits follow a symbol.
constexpr unsigned length_extra_bits(unsigned symbol) {
  const bool has_some = symbol >= kFirstLength + 8 && symbol < kLiteralSymbols - 1;
  return has_some ? (symbol - kFirstLength) / 4 - 1 : 0;
}

constexpr unsigned distance_extra_bits(unsigned symbol) { return symbol < 4 ? 0 : symbol / 2 - 1; }

}  // namespace winperf::deflate
