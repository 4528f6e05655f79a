#include "config/metric_names.h"

#include <algorithm>

#include "collectors/base/ascii.h"
#include "collectors/base/wording.h"
#include "config/text_error.h"

namespace winperf {
namespace {

constexpr std::size_t kMaxBytes = 200;

// Metrics about the exporter itself.
constexpr std::string_view kTakenMetrics[] = {"winperf_exporter_", "windows_exporter_", "process_",
                                              "promhttp_"};
// Labels that series get of their own accord.
constexpr std::string_view kTakenLabels[] = {"le", "machine", "quantile"};

bool is_first_of_any(char c) { return is_letter(c) || c == '_'; }

bool is_name(std::string_view name, std::string_view others) {
  const auto is_good = [&](char c) {
    return is_first_of_any(c) || is_digit(c) || others.find(c) != std::string_view::npos;
  };
  const auto is_first = [&](char c) {
    return is_first_of_any(c) || others.find(c) != std::string_view::npos;
  };
  return !name.empty() && name.size() <= kMaxBytes && is_first(name.front()) &&
         std::ranges::all_of(name, is_good);
}

}  // namespace

std::optional<std::string> metric_name_problem(std::string_view name) {
  if (!is_name(name, ":"))
    return in_quotes(name) +
           " can't be the name of a metric: write letters, digits and underscores, and no digit "
           "first";
  for (const std::string_view taken : kTakenMetrics)
    if (name.starts_with(taken))
      return in_quotes(name) + " is taken, as " + std::string(taken) +
             "... are about the exporter itself: write another name";
  return std::nullopt;
}

std::optional<std::string> label_name_problem(std::string_view name) {
  if (!is_name(name, "") || name.starts_with("__"))
    return in_quotes(name) +
           " can't be a label: write letters, digits and single underscores, and no digit first";
  if (std::ranges::find(kTakenLabels, name) != std::end(kTakenLabels))
    return in_quotes(name) + " has another meaning as a label: write another name";
  return std::nullopt;
}

}  // namespace winperf
