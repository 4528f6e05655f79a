#include "exporter/text/number_text.h"

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstring>
#include <string_view>

#include "exporter/text/shortest_decimal.h"

namespace winperf {
namespace {

constexpr std::uint32_t kOfEight = 100'000'000;  // more than any number of eight digits
constexpr std::uint64_t kOfSixteen = std::uint64_t{kOfEight} * kOfEight;
constexpr std::uint64_t kZeros = 0x3030'3030'3030'3030;  // eight characters
static_assert(std::endian::native == std::endian::little);

// Eight digits with leading zeros, as numbers, the first one in the lowest byte. Each step divides
// all numbers in the lanes of one register: 10486 / 2^20 is a hundredth, and 103 / 2^10 a tenth,
// for numbers as small as these are. No digit is wrong for that: all 100,000,000 numbers were
// compared with std::to_chars(), and a test compares some.
inline std::uint64_t eight_digits(std::uint32_t value) {
  const std::uint64_t fours = value / 10'000 | std::uint64_t{value % 10'000} << 32U;
  const std::uint64_t hundreds = ((fours * 10'486) >> 20U) & 0x0000'007F'0000'007F;
  const std::uint64_t pairs = hundreds | (fours - 100 * hundreds) << 16U;
  const std::uint64_t tens = ((pairs * 103) >> 10U) & 0x000F'000F'000F'000F;
  return tens | (pairs - 10 * tens) << 8U;
}

void write_eight(char* to, std::uint64_t digits) {
  digits |= kZeros;
  std::memcpy(to, &digits, sizeof digits);
}

// The last `size` of eight digits. More than there are is copied, because a copy of a fixed size is
// one instruction.
char* write_last(char* to, std::uint64_t digits, unsigned size) {
  digits = (digits | kZeros) >> (8 * (8 - size));
  std::memcpy(to, &digits, sizeof digits);
  return to + size;
}

char* write_up_to_eight(char* to, std::uint32_t value) {
  if (value < 10) {  // most often 0
    *to = static_cast<char>('0' + value);
    return to + 1;
  }
  const std::uint64_t digits = eight_digits(value);
  return write_last(to, digits, 8 - static_cast<unsigned>(std::countr_zero(digits)) / 8);
}

// Whether all digits of a whole double are its shortest text: an exponent takes four characters,
// and is written only where it saves one, as in "1e+05".
bool is_written_in_full(std::uint64_t whole) { return whole % 100'000 != 0; }

char* without_zeros(char* end) {
  while (end[-1] == '0') --end;
  return end;
}

constexpr auto kPowersOfTen = [] {
  std::array<std::uint64_t, 20> powers{1};
  for (std::size_t i = 1; i < powers.size(); ++i) powers[i] = 10 * powers[i - 1];
  return powers;
}();

// The digits after the point, of which the last ones may be zeros; not all of them are.
char* write_places(char* to, std::uint64_t digits, unsigned places) {
  constexpr unsigned kSixteen = 16;
  if (places > kSixteen) {
    const auto first = static_cast<std::uint32_t>(digits / kOfSixteen);
    to = write_last(to, eight_digits(first), places - kSixteen);
    digits %= kOfSixteen;
    places = kSixteen;
  }
  digits *= kPowersOfTen[kSixteen - places];
  write_eight(to, eight_digits(static_cast<std::uint32_t>(digits / kOfEight)));
  const auto last = static_cast<std::uint32_t>(digits % kOfEight);
  if (last == 0) return without_zeros(to + 8);
  write_eight(to + 8, eight_digits(last));
  return without_zeros(to + 16);
}

// `whole`: what is before the point.
char* write_decimal(char* to, std::uint64_t whole, const Decimal& decimal) {
  to = write_number(to, whole);
  *to++ = '.';
  return write_places(to, decimal.digits - whole * kPowersOfTen[decimal.places], decimal.places);
}

constexpr std::uint64_t kTicksPerSecond = 10'000'000;

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
  const std::uint64_t digits = eight_digits(static_cast<std::uint32_t>(ticks % kTicksPerSecond));
  write_eight(to, digits);
  *to = '.';  // its first digit was a zero
  return to + 8 - std::countl_zero(digits) / 8;
}

char* write_text(char* to, std::string_view text) { return std::ranges::copy(text, to).out; }

}  // namespace

char* write_number(char* to, std::uint64_t value) {
  if (value < kOfEight) return write_up_to_eight(to, static_cast<std::uint32_t>(value));
  if (value < kOfSixteen) {
    to = write_up_to_eight(to, static_cast<std::uint32_t>(value / kOfEight));
  } else {
    to = write_number(to, value / kOfSixteen);
    value %= kOfSixteen;
    write_eight(to, eight_digits(static_cast<std::uint32_t>(value / kOfEight)));
    to += 8;
  }
  write_eight(to, eight_digits(static_cast<std::uint32_t>(value % kOfEight)));
  return to + 8;
}

char* write_number(char* to, std::int64_t value) {
  if (value >= 0) return write_number(to, static_cast<std::uint64_t>(value));
  *to = '-';
  return write_number(to + 1, std::uint64_t{0} - static_cast<std::uint64_t>(value));
}

// Most are whole, or have no exponent: both are faster to write than std::to_chars() writes all.
char* write_number(char* to, double value) {
  if (value == 0 && !std::signbit(value)) {
    *to = '0';
    return to + 1;
  }
  if (has_no_exponent(value)) {
    const auto whole = static_cast<std::uint64_t>(value);
    if (static_cast<double>(whole) != value)
      return write_decimal(to, whole, shortest_decimal(value));
    if (is_written_in_full(whole)) return write_number(to, whole);
  } else if (has_no_exponent(-value)) {
    *to = '-';
    return write_number(to + 1, -value);
  }
  if (std::isnan(value)) return write_text(to, "NaN");
  if (std::isinf(value)) return write_text(to, value > 0 ? "+Inf" : "-Inf");
  return std::to_chars(to, to + kMostOfANumber, value).ptr;
}

char* write_ticks(char* to, std::uint64_t ticks) {
  if (are_written_in_full(ticks)) return write_full_ticks(to, ticks);
  return write_number(to, static_cast<double>(ticks) / double{kTicksPerSecond});
}

}  // namespace winperf
