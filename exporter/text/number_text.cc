#include "exporter/text/number_text.h"

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstring>
#include <string_view>

namespace winperf {
namespace {

// "00", "01" and so on to "99": two digits are one look-up.
constexpr std::size_t kPairs = 100;
constexpr auto kDigits = [] {
  std::array<char, 2 * kPairs> digits{};
  for (std::size_t i = 0; i < kPairs; ++i) {
    digits[2 * i] = static_cast<char>('0' + i / 10);
    digits[2 * i + 1] = static_cast<char>('0' + i % 10);
  }
  return digits;
}();
constexpr std::uint32_t kOfEight = 100'000'000;  // more than any number of eight digits

// Eight digits with leading zeros. The number becomes one of 32 bits of fraction, whose whole part
// is the first two digits; a hundred times the fraction has the next two there. The factor is
// 2^48 / 10^6, rounded up, as the product is. No digit is wrong for that: all 100,000,000 numbers
// were compared with std::to_chars(), and a test compares some.
void write_eight(char* to, std::uint32_t value) {
  constexpr std::uint64_t kFactor = 281'474'978;
  std::uint64_t pair = ((value * kFactor) >> 16) + 1;
  for (std::size_t at = 0; at < 8; at += 2) {
    std::memcpy(to + at, &kDigits[2 * (pair >> 32)], 2);
    pair = (pair & 0xFFFF'FFFF) * kPairs;
  }
}

// The number of bits says it, but for one.
std::size_t digits_of(std::uint32_t value) {
  constexpr std::array<std::uint32_t, 9> kPowers{0,       10,        100,        1'000,   10'000,
                                                 100'000, 1'000'000, 10'000'000, kOfEight};
  const auto known = static_cast<unsigned>(std::bit_width(value | 1U)) * 1233U >> 12U;
  return known + (value >= kPowers[known] ? 1U : 0U);
}

// More than there are is copied, because a copy of a fixed size is two instructions.
char* write_up_to_eight(char* to, std::uint32_t value) {
  std::array<char, 16> digits{};
  write_eight(digits.data(), value);
  const std::size_t size = digits_of(value);
  std::memcpy(to, &digits[8 - size], 8);
  return to + size;
}

// Whether all digits of a whole double are its shortest text: not "1e+05" instead of "100000".
bool is_written_in_full(std::uint64_t whole) { return whole == 0 || whole % 10'000 != 0; }

constexpr std::uint64_t kTicksPerSecond = 10'000'000;

double seconds_of_ticks(std::uint64_t ticks) {
  return static_cast<double>(ticks) / double{kTicksPerSecond};
}

// Of times that aren't negative; 0 where there would be more than 15 digits.
std::uint64_t nearest_ticks(double seconds) {
  constexpr double kMost = 1e8;
  return seconds < kMost ? static_cast<std::uint64_t>(seconds * double{kTicksPerSecond} + 0.5) : 0;
}

// Whether all digits of these seconds are their shortest text. Up to 15 digits, no other decimal
// number with as few is nearest to the same double. Less than a millisecond, and round numbers, may
// be shorter with an exponent.
bool are_written_in_full(std::uint64_t ticks) {
  constexpr std::uint64_t kLeast = 10'000;
  constexpr std::uint64_t kMost = 1'000'000'000'000'000;
  return ticks >= kLeast && ticks < kMost && ticks % kTicksPerSecond != 0;
}

char* write_full_ticks(char* to, std::uint64_t ticks) {
  to = write_number(to, ticks / kTicksPerSecond);
  write_eight(to, static_cast<std::uint32_t>(ticks % kTicksPerSecond));
  *to = '.';  // its first digit was a zero
  char* end = to + 8;
  while (end[-1] == '0') --end;
  return end;
}

char* write_text(char* to, std::string_view text) { return std::ranges::copy(text, to).out; }

}  // namespace

char* write_number(char* to, std::uint64_t value) {
  if (value < kOfEight) return write_up_to_eight(to, static_cast<std::uint32_t>(value));
  to = write_number(to, value / kOfEight);
  write_eight(to, static_cast<std::uint32_t>(value % kOfEight));
  return to + 8;
}

char* write_number(char* to, std::int64_t value) {
  if (value >= 0) return write_number(to, static_cast<std::uint64_t>(value));
  *to = '-';
  return write_number(to + 1, std::uint64_t{0} - static_cast<std::uint64_t>(value));
}

// Many are whole, or seconds that a clock counts in ticks: both are faster to find than their
// shortest text.
char* write_number(char* to, double value) {
  constexpr double kMostExact = 1e15;
  if (value >= 0 && value < kMostExact && !std::signbit(value)) {
    const auto whole = static_cast<std::uint64_t>(value);
    if (static_cast<double>(whole) == value && is_written_in_full(whole))
      return write_number(to, whole);
    const auto ticks = nearest_ticks(value);
    if (are_written_in_full(ticks) && seconds_of_ticks(ticks) == value)
      return write_full_ticks(to, ticks);
  }
  if (std::isnan(value)) return write_text(to, "NaN");
  if (std::isinf(value)) return write_text(to, value > 0 ? "+Inf" : "-Inf");
  return std::to_chars(to, to + kMostOfANumber, value).ptr;
}

char* write_ticks(char* to, std::uint64_t ticks) {
  if (are_written_in_full(ticks)) return write_full_ticks(to, ticks);
  return write_number(to, seconds_of_ticks(ticks));
}

}  // namespace winperf
