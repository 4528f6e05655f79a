#include "config/quantity.h"

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <ranges>
#include <span>

namespace winperf {
namespace {

// The largest number that is accepted before a unit: more than any limit in any unit.
constexpr std::int64_t kMaxNumber = 10'000'000'000;
constexpr std::int64_t kThousandths = 1000;
constexpr std::string_view kDigits = "0123456789";

struct Unit {
  std::string_view name;
  std::int64_t size;
};

// From the smallest to the largest.
constexpr Unit kDurationUnits[] = {
    {"ms", 1}, {"s", 1000}, {"m", 60'000}, {"h", 3'600'000}, {"d", 86'400'000}};
constexpr Unit kByteUnits[] = {
    {"B", 1}, {"KiB", 1024}, {"MiB", 1024 * 1024}, {"GiB", 1024 * 1024 * 1024}};

std::string_view take_while_digits(std::string_view& text) {
  const std::string_view digits = text.substr(0, text.find_first_not_of(kDigits));
  text.remove_prefix(digits.size());
  return digits;
}

// Takes "12" or "1.5" (at most three decimals) off the front, in thousandths.
std::optional<std::int64_t> take_thousandths(std::string_view& text) {
  const auto whole = parse_integer(take_while_digits(text));
  if (!whole || *whole > kMaxNumber) return std::nullopt;
  if (!text.starts_with('.')) return *whole * kThousandths;
  text.remove_prefix(1);
  const std::string_view decimals = take_while_digits(text);
  if (decimals.empty() || decimals.size() > 3) return std::nullopt;
  std::int64_t fraction = 0;
  for (std::size_t i = 0; i < 3; ++i)
    fraction = fraction * 10 + (i < decimals.size() ? decimals[i] - '0' : 0);
  return *whole * kThousandths + fraction;
}

std::optional<std::int64_t> take_unit(std::string_view& text, std::span<const Unit> units) {
  const std::string_view name =
      text.substr(0, std::min(text.find_first_of(kDigits), text.find(' ')));
  text.remove_prefix(name.size());
  const auto unit = std::ranges::find(units, name, &Unit::name);
  return unit == units.end() ? std::nullopt : std::optional(unit->size);
}

// Takes a number with its unit off the front. `bare` is the unit if the number is the whole text.
std::optional<std::int64_t> take_term(std::string_view& text, std::span<const Unit> units,
                                      std::optional<std::int64_t> bare) {
  const auto number = take_thousandths(text);
  if (!number) return std::nullopt;
  std::optional<std::int64_t> unit = bare;
  if (!text.empty() || !bare) {
    if (text.starts_with(' ')) text.remove_prefix(1);
    unit = take_unit(text, units);
  }
  if (!unit || *number > INT64_MAX / *unit) return std::nullopt;
  const std::int64_t product = *number * *unit;
  if (product % kThousandths != 0) return std::nullopt;
  return product / kThousandths;
}

}  // namespace

std::optional<std::int64_t> parse_integer(std::string_view text) {
  std::int64_t number = 0;
  const char* const end = text.data() + text.size();
  const auto result = std::from_chars(text.data(), end, number);
  if (text.empty() || result.ec != std::errc{} || result.ptr != end) return std::nullopt;
  return number;
}

std::optional<std::int64_t> parse_short_duration_ms(std::string_view text) {
  constexpr Unit kShortUnits[] = {{"ns", 1}, {"us", 1000}, {"\u00B5s", 1000}, {"\u03BCs", 1000}};
  constexpr std::int64_t kMillisecond = 1'000'000;
  const auto nanoseconds = take_term(text, kShortUnits, std::nullopt);
  if (!nanoseconds || !text.empty()) return std::nullopt;
  return std::max<std::int64_t>((*nanoseconds + kMillisecond - 1) / kMillisecond, 1);
}

std::optional<std::int64_t> parse_duration_ms(std::string_view text) {
  auto sum = take_term(text, kDurationUnits, kThousandths);
  for (int terms = 1; sum && !text.empty(); ++terms) {
    // A number without a unit can't follow another term.
    const auto term = terms < 5 ? take_term(text, kDurationUnits, std::nullopt) : std::nullopt;
    if (!term || *sum > INT64_MAX - *term) return std::nullopt;
    *sum += *term;
  }
  return sum;
}

std::optional<std::int64_t> parse_bytes(std::string_view text) {
  const auto bytes = take_term(text, kByteUnits, 1);
  return text.empty() ? bytes : std::nullopt;
}

std::string duration_text(std::int64_t milliseconds) {
  std::string text;
  for (const Unit& unit : kDurationUnits | std::views::reverse) {
    if (milliseconds >= unit.size)
      text += std::to_string(milliseconds / unit.size) + std::string(unit.name);
    milliseconds %= unit.size;
  }
  return text.empty() ? "0s" : text;
}

std::string bytes_text(std::int64_t bytes) {
  for (const Unit& unit : kByteUnits | std::views::reverse)
    if (bytes >= unit.size && bytes % unit.size == 0)
      return std::to_string(bytes / unit.size) + std::string(unit.name);
  return "0B";
}

}  // namespace winperf
