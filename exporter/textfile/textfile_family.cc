#include "exporter/textfile/textfile_family.h"

#include <algorithm>
#include <limits>
#include <ranges>

#include "collectors/base/ascii.h"
#include "collectors/base/printable.h"
#include "collectors/base/utf8.h"
#include "exporter/textfile/textfile_line.h"

namespace winperf {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr std::size_t kShownBytes = 200;

std::string digits(double number) {
  std::string text;
  append_go_number(text, number, false);
  return text;
}

}  // namespace

std::string shown_series(std::string_view name, std::string_view labels) {
  std::string text(name);
  if (!labels.empty()) text.append("{").append(labels).append("}");
  if (text.size() > kShownBytes) {
    const std::string_view cut = std::string_view(text).substr(0, kShownBytes);
    text = std::string(cut.substr(0, valid_bytes(cut))) + "...";
  }
  return printable(text);
}

std::expected<void, std::string> complete_histogram(std::string_view name, std::string_view labels,
                                                    TextfileSeries& series) {
  const auto refused = [&](const std::string& why) {
    return std::unexpected("the histogram " + shown_series(name, labels) + ' ' + why);
  };
  const auto last = series.steps.find(kInfinity);
  if (last == series.steps.end() && !series.count)
    return refused("has neither a bucket le=\"+Inf\" nor a count");
  const double count = series.count.value_or(last == series.steps.end() ? 0 : last->second);
  if (last != series.steps.end() && last->second != count) {
    return refused("has " + digits(last->second) + " in its bucket le=\"+Inf\", but " +
                   digits(count) + " as its count");
  }
  series.count = count;
  series.steps[kInfinity] = count;
  double before = 0;
  for (const auto& [bound, so_far] : series.steps) {
    if (so_far < before) {
      return refused("has fewer in its bucket le=\"" + digits(bound) +
                     "\" than in the one before: each has to contain those before");
    }
    before = so_far;
  }
  return {};
}

namespace {

constexpr std::array<std::string_view, 5> kTypes{"untyped", "counter", "gauge", "summary",
                                                 "histogram"};
constexpr std::array<std::string_view, kLineKinds.size()> kSuffixes{"", "_bucket", "_sum",
                                                                    "_count"};

}  // namespace

std::uint32_t first_line(const TextfileFamily& family) {
  const auto lines = std::views::values(family.series) |
                     std::views::transform([](const auto& series) { return series.line; });
  return lines.empty() ? 0 : std::ranges::min(lines);
}

std::string_view name_of(TextfileType type) { return kTypes.at(static_cast<std::size_t>(type)); }

std::optional<TextfileType> find_textfile_type(std::string_view name) {
  const auto found = std::ranges::find_if(
      kTypes, [name](std::string_view type) { return equal_names(type, name); });
  if (found == kTypes.end()) return std::nullopt;
  return static_cast<TextfileType>(found - kTypes.begin());
}

std::string_view suffix_of(LineKind kind) { return kSuffixes.at(static_cast<std::size_t>(kind)); }

bool has_lines(TextfileType type, LineKind kind) {
  if (type == TextfileType::kHistogram) return kind != LineKind::kPlain;
  return kind == LineKind::kPlain || (type == TextfileType::kSummary && kind != LineKind::kBucket);
}

std::string_view step_label(TextfileType type) {
  if (type == TextfileType::kHistogram) return "le";
  return type == TextfileType::kSummary ? "quantile" : "";
}

}  // namespace winperf
