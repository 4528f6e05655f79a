#include "exporter/text/exposition.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

namespace winperf {
namespace {

template <class Number>
void append_digits(std::string& out, Number value) {
  std::array<char, 32> digits{};
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), value).ptr;
  out.append(digits.data(), end);
}

constexpr std::array<std::string_view, 11> kUnits{"amperes", "bytes",   "celsius", "grams",
                                                  "hertz",   "joules",  "kelvin",  "meters",
                                                  "ratio",   "seconds", "volts"};

void append_comment(std::string& out, std::string_view what, std::string_view name,
                    std::string_view text) {
  out.append("# ").append(what).append(" ").append(name).append(" ").append(text).append("\n");
}

}  // namespace

std::string_view unit_of(std::string_view family) {
  const auto underscore = family.rfind('_');
  if (underscore == std::string_view::npos) return {};
  const std::string_view word = family.substr(underscore + 1);
  return std::ranges::find(kUnits, word) != kUnits.end() ? word : std::string_view();
}

void append_number(std::string& out, double value) {
  if (std::isnan(value)) {
    out += "NaN";
  } else if (std::isinf(value)) {
    out += value > 0 ? "+Inf" : "-Inf";
  } else {
    append_digits(out, value);
  }
}

void append_number(std::string& out, std::uint64_t value) { append_digits(out, value); }
void append_number(std::string& out, std::int64_t value) { append_digits(out, value); }

void append_header(std::string& out, PageFormat format, std::string_view name,
                   std::string_view help, std::string_view type) {
  const bool is_open_metrics = format == PageFormat::kOpenMetrics;
  if (is_open_metrics) name = family_of(name, type);
  std::string escaped;
  append_escaped(escaped, help, is_open_metrics);
  append_comment(out, "HELP", name, escaped);
  append_comment(out, "TYPE", name, type);
  if (const auto unit = unit_of(name); is_open_metrics && !unit.empty())
    append_comment(out, "UNIT", name, unit);
}

void append_created(std::string& out, std::string_view name, std::string_view labels,
                    double seconds) {
  out.append(family_of(name, "counter")).append("_created").append(labels).append(" ");
  append_number(out, seconds);
  out += '\n';
}

}  // namespace winperf
