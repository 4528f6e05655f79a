#include "exporter/textfile/series_rules.h"

#include <limits>

#include "collectors/base/printable.h"
#include "collectors/base/utf8.h"
#include "exporter/textfile/go_number.h"

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

}  // namespace winperf
