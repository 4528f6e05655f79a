#include "exporter/text/page_format.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <string_view>

#include "collectors/base/ascii.h"
#include "exporter/text/number_text.h"

namespace winperf {
std::string_view trimmed(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(" \t");
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(" \t") - begin + 1);
}

std::string_view take_item(std::string_view& rest, char separator) {
  const std::size_t end = std::min(rest.find(separator), rest.size());
  const std::string_view taken = rest.substr(0, end);
  rest.remove_prefix(std::min(end + 1, rest.size()));
  return trimmed(taken);
}

std::string_view parameter_of(std::string_view parameters, std::string_view name) {
  while (!parameters.empty()) {
    std::string_view value = take_item(parameters, ';');
    if (!equal_names(take_item(value, '='), name)) continue;
    value = trimmed(value);
    const bool is_quoted = value.size() > 1 && value.starts_with('"') && value.ends_with('"');
    return is_quoted ? value.substr(1, value.size() - 2) : value;
  }
  return {};
}

double weight_of(std::string_view parameters) {
  const std::string_view text = parameter_of(parameters, "q");
  double weight = 1;
  std::from_chars(text.data(), text.data() + text.size(), weight);
  return weight >= 0 && weight <= 1 ? weight : 1;
}

namespace {

struct Format {
  std::string_view type;
  std::string_view subtype;
  std::string_view version;
  std::string_view media_type;
};

// In the order of the enumeration.
constexpr std::array<Format, kPageFormatCount> kFormats{{
    {"text", "plain", "0.0.4", "text/plain; version=0.0.4; charset=utf-8"},
    {"application", "openmetrics-text", "1.0.0",
     "application/openmetrics-text; version=1.0.0; charset=utf-8"},
}};

// How specifically a client names a format; the most specific match counts.
enum class Match : std::uint8_t { kNone, kAnything, kType, kName, kVersion };

// `range`: "text/plain;version=0.0.4".
Match match(std::string_view range, const Format& format) {
  const std::string_view type = take_item(range, '/');
  const std::string_view subtype = take_item(range, ';');
  if (type == "*" && subtype == "*") return Match::kAnything;
  if (!equal_names(type, format.type)) return Match::kNone;
  if (subtype == "*") return Match::kType;
  if (!equal_names(subtype, format.subtype)) return Match::kNone;
  const std::string_view version = parameter_of(range, "version");
  if (version.empty()) return Match::kName;
  return version == format.version ? Match::kVersion : Match::kNone;
}

struct Preference {
  Match match = Match::kNone;
  double weight = 0;
};

Preference preference_for(const Format& format, std::string_view accept) {
  Preference preference;
  while (!accept.empty()) {
    const std::string_view range = take_item(accept, ',');
    const Match found = match(range, format);
    if (found > preference.match) preference = {found, weight_of(range)};
  }
  return preference;
}

}  // namespace

std::string_view media_type(PageFormat format) {
  return kFormats.at(static_cast<std::size_t>(format)).media_type;
}

PageFormat preferred_format(std::string_view accept) {
  const Preference text = preference_for(kFormats[0], accept);
  const Preference open_metrics = preference_for(kFormats[1], accept);
  const bool is_named = open_metrics.match >= Match::kName && open_metrics.weight > 0;
  return is_named && open_metrics.weight >= text.weight ? PageFormat::kOpenMetrics
                                                        : PageFormat::kText;
}

namespace {

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

namespace {

template <class Number>
void append_written(std::string& out, Number value) {
  std::array<char, kMostOfANumber> text;
  const char* const end = write_number(text.data(), value);
  out += std::string_view(text.data(), end);  // a range of pointers would go a longer way
}

}  // namespace

void append_number(std::string& out, double value) { append_written(out, value); }
void append_number(std::string& out, std::uint64_t value) { append_written(out, value); }
void append_number(std::string& out, std::int64_t value) { append_written(out, value); }

void append_header(std::string& out, PageFormat format, std::string_view name,
                   std::string_view help, std::string_view type) {
  const bool is_open_metrics = format == PageFormat::kOpenMetrics;
  if (is_open_metrics) name = family_of(name, type);
  out.append("# HELP ").append(name).append(" ");
  append_escaped(out, help, is_open_metrics);
  out += '\n';
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
