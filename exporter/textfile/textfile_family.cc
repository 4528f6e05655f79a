#include "exporter/textfile/textfile_family.h"

#include <algorithm>
#include <ranges>

#include "collectors/base/ascii.h"

namespace winperf {
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
