// The digits of a page's numbers, which are half of the work of writing it. Thread rule: pure
// functions.
#pragma once

#include <cstddef>
#include <cstdint>

namespace winperf {

// Each writes at a place with room for so many characters, and returns the end.
inline constexpr std::size_t kMostOfANumber = 32;

// All digits.
char* write_number(char* to, std::uint64_t value);
char* write_number(char* to, std::int64_t value);
// The shortest text that reads back as the same number; "NaN", "+Inf" and "-Inf".
char* write_number(char* to, double value);
// Of tenths of a microsecond: seconds, as the same double is written.
char* write_ticks(char* to, std::uint64_t ticks);

}  // namespace winperf
