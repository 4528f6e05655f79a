// The shortest decimal number that reads back as the same double, for doubles as rates usually are:
// not whole, and not so small or large that they need an exponent. std::to_chars() supports all
// doubles, and takes twice as many instructions.
//
// Source: R. Giulietti, "The Schubfach way to render doubles". Thread rule: pure functions.
#pragma once

#include <cstdint>

namespace winperf {

struct Decimal {
  std::uint64_t digits = 0;  // at most 17, perhaps with zeros at the end
  unsigned places = 0;       // how many of them follow the point
};

// Whether its shortest text has no exponent, unless it is whole.
constexpr bool has_no_exponent(double value) {
  constexpr double kLeast = 1e-3;
  constexpr double kMost = 9'007'199'254'740'992;  // 2^53: from here on, all doubles are whole
  return value >= kLeast && value < kMost;
}

// `value`: one of those, and not whole. Of several shortest ones it is the nearest.
Decimal shortest_decimal(double value);

}  // namespace winperf
