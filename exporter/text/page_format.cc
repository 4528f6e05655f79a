#include "exporter/text/page_format.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <string_view>

#include "collectors/base/ascii.h"
#include "exporter/text/field_text.h"

namespace winperf {
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

// The text up to a separator, which is taken off with it.
std::string_view take_until(std::string_view& text, char separator) {
  const auto end = std::min(text.find(separator), text.size());
  const std::string_view part = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  return trimmed(part);
}

// How exactly a client names a format; what it names most exactly counts.
enum class Match : std::uint8_t { kNone, kAnything, kType, kName, kVersion };

struct Range {
  std::string_view type, subtype, version{};
  double weight = 1;
};

// What is no weight is none: the client wants what it names.
double weight_of(std::string_view text) {
  double weight = 1;
  std::from_chars(text.data(), text.data() + text.size(), weight);
  return weight >= 0 && weight <= 1 ? weight : 1;
}

Range parse_range(std::string_view text) {
  std::string_view name = take_until(text, ';');
  Range range{.type = take_until(name, '/'), .subtype = trimmed(name)};
  while (!text.empty()) {
    std::string_view value = take_until(text, ';');
    const std::string_view key = take_until(value, '=');
    value = trimmed(value);
    if (value.size() > 1 && value.starts_with('"') && value.ends_with('"'))
      value = value.substr(1, value.size() - 2);
    if (equal_names(key, "q")) range.weight = weight_of(value);
    if (equal_names(key, "version")) range.version = value;
  }
  return range;
}

Match match(const Range& range, const Format& format) {
  if (range.type == "*" && range.subtype == "*") return Match::kAnything;
  if (!equal_names(range.type, format.type)) return Match::kNone;
  if (range.subtype == "*") return Match::kType;
  if (!equal_names(range.subtype, format.subtype)) return Match::kNone;
  if (range.version.empty()) return Match::kName;
  return range.version == format.version ? Match::kVersion : Match::kNone;
}

struct Wish {
  Match match = Match::kNone;
  double weight = 0;
};

Wish wish_for(const Format& format, std::string_view accept) {
  Wish wish;
  while (!accept.empty()) {
    const Range range = parse_range(take_until(accept, ','));
    const Match found = match(range, format);
    if (found > wish.match) wish = {found, range.weight};
  }
  return wish;
}

}  // namespace

std::string_view media_type(PageFormat format) {
  return kFormats.at(static_cast<std::size_t>(format)).media_type;
}

PageFormat preferred_format(std::string_view accept) {
  const Wish text = wish_for(kFormats[0], accept);
  const Wish open_metrics = wish_for(kFormats[1], accept);
  const bool is_named = open_metrics.match >= Match::kName && open_metrics.weight > 0;
  return is_named && open_metrics.weight >= text.weight ? PageFormat::kOpenMetrics
                                                        : PageFormat::kText;
}

}  // namespace winperf
