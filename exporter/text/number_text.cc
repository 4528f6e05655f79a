#include "exporter/text/number_text.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstring>
#include <string_view>

namespace winperf {
namespace {

// "00", "01" and so on to "99": two digits are one division.
constexpr std::size_t kPairs = 100;
constexpr auto kDigits = [] {
  std::array<char, 2 * kPairs> digits{};
  for (std::size_t i = 0; i < kPairs; ++i) {
    digits[2 * i] = static_cast<char>('0' + i / 10);
    digits[2 * i + 1] = static_cast<char>('0' + i % 10);
  }
  return digits;
}();
constexpr std::size_t kMostDigits = 20;  // of 64 bits

// Whether all digits of a whole double are its shortest text: not "1e+05" instead of "100000".
bool is_written_in_full(std::uint64_t whole) { return whole == 0 || whole % 10'000 != 0; }

char* write_text(char* to, std::string_view text) { return std::ranges::copy(text, to).out; }

}  // namespace

// From the end, so that their number needn't be known. More than there are is copied, because a
// copy of a fixed size is two instructions.
char* write_number(char* to, std::uint64_t value) {
  std::array<char, 2 * kMostDigits> digits{};
  std::size_t begin = kMostDigits;
  for (; value >= kPairs; value /= kPairs) {
    begin -= 2;
    std::memcpy(&digits[begin], &kDigits[2 * (value % kPairs)], 2);
  }
  begin -= 2;
  std::memcpy(&digits[begin], &kDigits[2 * value], 2);
  begin += value < 10 ? 1 : 0;
  std::memcpy(to, &digits[begin], kMostDigits);
  return to + (kMostDigits - begin);
}

char* write_number(char* to, std::int64_t value) {
  if (value >= 0) return write_number(to, static_cast<std::uint64_t>(value));
  *to = '-';
  return write_number(to + 1, std::uint64_t{0} - static_cast<std::uint64_t>(value));
}

// Many are whole, which is faster to find than their shortest text.
char* write_number(char* to, double value) {
  constexpr double kMostExact = 1e15;
  if (value >= 0 && value < kMostExact && !std::signbit(value)) {
    const auto whole = static_cast<std::uint64_t>(value);
    if (static_cast<double>(whole) == value && is_written_in_full(whole))
      return write_number(to, whole);
  }
  if (std::isnan(value)) return write_text(to, "NaN");
  if (std::isinf(value)) return write_text(to, value > 0 ? "+Inf" : "-Inf");
  return std::to_chars(to, to + kMostOfANumber, value).ptr;
}

// Up to 15 digits, no other decimal number with as few is nearest to the same double, so these
// digits are its shortest text. Less than a millisecond, and round numbers, may be shorter with an
// exponent.
char* write_ticks(char* to, std::uint64_t ticks) {
  constexpr std::uint64_t kPerSecond = 10'000'000;
  constexpr std::uint64_t kLeast = 10'000;
  constexpr std::uint64_t kMost = 1'000'000'000'000'000;
  const std::uint64_t fraction = ticks % kPerSecond;
  if (ticks < kLeast || ticks >= kMost || fraction == 0)
    return write_number(to, static_cast<double>(ticks) / static_cast<double>(kPerSecond));
  to = write_number(to, ticks / kPerSecond);
  char* end = write_number(to, kPerSecond + fraction);  // with its leading zeros, after a 1
  *to = '.';
  while (end[-1] == '0') --end;
  return end;
}

}  // namespace winperf
