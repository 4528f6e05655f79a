#include "exporter/textfile/go_number.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <limits>
#include <system_error>

#include "collectors/base/ascii.h"

namespace winperf {
namespace {

constexpr std::string_view kDigits = "0123456789";

// Takes the digits at the beginning.
std::string_view take_digits(std::string_view& text) {
  const auto digits = text.substr(0, text.find_first_not_of(kDigits));
  text.remove_prefix(digits.size());
  return digits;
}

bool take_sign(std::string_view& text) {
  if (!text.starts_with('+') && !text.starts_with('-')) return false;
  text.remove_prefix(1);
  return true;
}

// Whether a number that is out of range is a large one.
bool is_large(std::string_view whole, std::string_view fraction, std::string_view exponent) {
  const auto nonzero = whole.find_first_not_of('0');
  const bool is_whole = nonzero != std::string_view::npos;
  const auto leading_zeros = std::min(fraction.find_first_not_of('0'), fraction.size());
  const auto magnitude = is_whole ? static_cast<std::int64_t>(whole.size() - nonzero)
                                  : -static_cast<std::int64_t>(leading_zeros);
  std::int64_t ten_to = 0;
  const bool is_plus = exponent.starts_with('+');
  const std::string_view number = exponent.substr(is_plus ? 1 : 0);
  const auto read = std::from_chars(number.data(), number.data() + number.size(), ten_to);
  if (read.ec == std::errc::result_out_of_range) return !number.starts_with('-');
  // Doubles that are out of range are far from 1.
  return ten_to > -magnitude;
}

std::optional<double> decimal(std::string_view text) {
  std::string_view rest = text;
  const auto whole = take_digits(rest);
  std::string_view fraction;
  if (rest.starts_with('.')) {
    rest.remove_prefix(1);
    fraction = take_digits(rest);
  }
  if (whole.empty() && fraction.empty()) return std::nullopt;
  std::string_view exponent;
  if (rest.starts_with('e') || rest.starts_with('E')) {
    rest.remove_prefix(1);
    exponent = rest;
    take_sign(rest);
    if (take_digits(rest).empty()) return std::nullopt;
  }
  if (!rest.empty()) return std::nullopt;
  double value = 0;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), value);
  if (read.ec != std::errc::result_out_of_range) return value;
  if (is_large(whole, fraction, exponent)) return std::nullopt;
  return 0.0;
}

}  // namespace

std::optional<double> parse_go_number(std::string_view text) {
  if (equal_names(text, "nan")) return std::numeric_limits<double>::quiet_NaN();
  const bool is_negative = text.starts_with('-');
  take_sign(text);
  const auto positive = equal_names(text, "inf") || equal_names(text, "infinity")
                            ? std::numeric_limits<double>::infinity()
                            : decimal(text);
  if (!positive) return std::nullopt;
  return is_negative ? -*positive : *positive;
}

void append_go_number(std::string& out, double value, bool has_point) {
  if (!std::isfinite(value)) {
    out += std::isnan(value) ? "NaN" : value > 0 ? "+Inf" : "-Inf";
    return;
  }
  const double size = std::abs(value);
  const bool has_exponent = size != 0 && (size < 1e-4 || size >= 1e6);
  std::array<char, 32> digits{};
  const auto end =
      std::to_chars(digits.data(), digits.data() + digits.size(), value,
                    has_exponent ? std::chars_format::scientific : std::chars_format::fixed)
          .ptr;
  const std::string_view text(digits.data(), end);
  out += text;
  if (has_point && !has_exponent && !text.contains('.')) out += ".0";
}

}  // namespace winperf
