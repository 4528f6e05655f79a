#include "service/console/human_number.h"

#include <array>
#include <cmath>
#include <cstdint>
#include <cstdio>

namespace winperf {
namespace {

std::string formatted(const char* format, double number) {
  std::array<char, 512> text{};
  const int length = std::snprintf(text.data(), text.size(), format, number);
  return {text.data(), static_cast<std::size_t>(length)};
}

// Without what follows the last digit that is not 0.
std::string without_zeros(std::string text) {
  if (text.find('.') == std::string::npos) return text;
  text.erase(text.find_last_not_of('0') + 1);
  if (text.ends_with('.')) text.pop_back();
  return text == "-0" ? "0" : text;
}

std::string with_separators(std::string digits) {
  const std::size_t first = digits.starts_with('-') ? 1 : 0;
  for (std::size_t at = digits.size(); at > first + 3;) {
    at -= 3;
    digits.insert(at, 1, ',');
  }
  return digits;
}

std::string two_units(std::int64_t large, const char* large_unit, std::int64_t small,
                      const char* small_unit) {
  std::string text = with_separators(std::to_string(large)) + ' ' + large_unit;
  if (small != 0) text += ' ' + std::to_string(small) + ' ' + small_unit;
  return text;
}

}  // namespace

std::string human_bytes(double bytes) {
  static constexpr std::array<const char*, 7> kUnits = {"B",   "KiB", "MiB", "GiB",
                                                        "TiB", "PiB", "EiB"};
  std::size_t unit = 0;
  double number = bytes;
  while (std::abs(number) >= 1023.5 && unit + 1 < kUnits.size()) {
    number /= 1024;
    ++unit;
  }
  const double size = std::abs(number);
  const char* const format = unit == 0 || size >= 100 ? "%.0f" : size >= 10 ? "%.1f" : "%.2f";
  return without_zeros(formatted(format, number)) + ' ' + kUnits[unit];
}

std::string human_seconds(double seconds) {
  constexpr double kMost = 1e15;
  if (!(seconds >= 120) || seconds > kMost) return human_number(seconds) + " s";
  const auto whole = static_cast<std::int64_t>(seconds);
  if (whole >= 86'400) return two_units(whole / 86'400, "d", whole % 86'400 / 3600, "h");
  if (whole >= 3600) return two_units(whole / 3600, "h", whole % 3600 / 60, "min");
  return two_units(whole / 60, "min", whole % 60, "s");
}

std::string human_number(double number) {
  const double size = std::abs(number);
  if (!std::isfinite(number) || size >= 1e15) return formatted("%.6g", number);
  if (size >= 1000) return with_separators(formatted("%.0f", number));
  if (size >= 0.01 || size == 0) return without_zeros(formatted("%.2f", number));
  return formatted("%.2g", number);
}

}  // namespace winperf
