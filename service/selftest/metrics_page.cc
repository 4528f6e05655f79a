#include "service/selftest/metrics_page.h"

#include <algorithm>
#include <set>
#include <utility>

#include "collectors/base/utf8.h"
#include "exporter/textfile/textfile_family.h"

namespace winperf::selftest {
namespace {

constexpr std::size_t kMostRefusals = 20;
constexpr std::string_view kEndOfMetrics = "# EOF";
constexpr std::string_view kUnitComment = "# UNIT ";

// The family of a sample, as far as the suffix belongs to a type with several kinds of lines.
std::string family_of(std::string_view name, const std::set<std::string, std::less<>>& typed) {
  if (typed.contains(name)) return std::string(name);
  for (const std::string_view suffix : {"_total", "_bucket", "_sum", "_count", "_created", "_info"})
    if (name.ends_with(suffix))
      if (const auto stem = name.substr(0, name.size() - suffix.size()); typed.contains(stem))
        return std::string(stem);
  return std::string(name);
}

// What has been on the page so far.
struct SeenFamilies {
  std::set<std::string, std::less<>> typed{};
  std::set<std::string, std::less<>> helped{};
  std::set<std::string, std::less<>> begun{};  // with samples
  std::string current{};                       // the family of the last line

  // Why the line can't follow; empty: it can.
  std::string note(const TextfileLine& line) {
    const bool is_sample = line.content == LineContent::kSample;
    const std::string family = is_sample ? family_of(line.name, typed) : std::string(line.name);
    const bool goes_on = family == current;
    current = family;
    if (is_sample)
      return begun.insert(family).second || goes_on ? "" : "samples of " + family + " are apart";
    auto& once = line.content == LineContent::kType ? typed : helped;
    if (!once.insert(family).second) return family + " is described twice";
    return begun.contains(family) ? family + " is described after its samples" : "";
  }
};

std::string series_of(const TextfileLine& line) {
  return std::string(line.name) + '{' + label_text(line.labels, {}) + '}';
}

}  // namespace

void MetricsPage::refuse(std::size_t line, const std::string& why) {
  if (refusals_.size() < kMostRefusals)
    refusals_.push_back("line " + std::to_string(line) + ": " + why);
}

MetricsPage::MetricsPage(std::string_view text, bool is_openmetrics) {
  if (valid_bytes(text) != text.size()) refuse(1, "the page is not UTF-8");
  if (!text.ends_with('\n')) refuse(1, "the last line has no end");
  SeenFamilies seen;
  bool has_ended = false;
  std::size_t number = 0;
  for (std::string_view rest = text; !rest.empty();) {
    const std::size_t end = std::min(rest.find('\n'), rest.size());
    const std::string_view line = rest.substr(0, end);
    rest.remove_prefix(std::min(end + 1, rest.size()));
    ++number;
    if (has_ended) refuse(number, "something follows the end");
    if (is_openmetrics && line == kEndOfMetrics) has_ended = true;
    if (is_openmetrics && line.starts_with(kUnitComment)) continue;
    auto parsed = parse_textfile_line(line);
    if (!parsed) {
      refuse(number, parsed.error());
      continue;
    }
    if (parsed->content == LineContent::kNothing) continue;
    if (const std::string why = seen.note(*parsed); !why.empty()) refuse(number, why);
    if (parsed->content != LineContent::kSample) continue;
    if (const auto [at, is_new] = values_.emplace(series_of(*parsed), parsed->value); !is_new)
      refuse(number, at->first + " is there twice");
  }
  if (is_openmetrics && !has_ended) refuse(number, "the page has no end");
}

std::optional<double> MetricsPage::value(std::string_view name, std::string_view labels) const {
  const auto found = values_.find(std::string(name) + '{' + std::string(labels) + '}');
  return found == values_.end() ? std::nullopt : std::optional(found->second);
}

std::map<std::string, double> MetricsPage::all(std::string_view name) const {
  const std::string begin = std::string(name) + '{';
  std::map<std::string, double> series;
  for (auto at = values_.lower_bound(begin); at != values_.end() && at->first.starts_with(begin);
       ++at)
    series.emplace(at->first.substr(begin.size(), at->first.size() - begin.size() - 1), at->second);
  return series;
}

std::optional<double> MetricsPage::sum(std::string_view name, std::string_view text) const {
  const std::string begin = std::string(name) + '{';
  std::optional<double> sum;
  for (auto at = values_.lower_bound(begin); at != values_.end() && at->first.starts_with(begin);
       ++at)
    if (at->first.contains(text)) sum = sum.value_or(0) + at->second;
  return sum;
}

}  // namespace winperf::selftest
