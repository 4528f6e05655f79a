#include "exporter/profiles/fact_metric.h"

#include <algorithm>
#include <ranges>

namespace winperf {

std::vector<std::string_view> label_names(const FactMetric& metric) {
  std::vector<std::string_view> names;
  for (const FactLabel& label : metric.labels)
    if (!label.name.empty()) names.push_back(label.name);
  for (const auto part : std::views::split(metric.state_label, ' '))
    if (!part.empty()) names.emplace_back(part.begin(), part.end());
  return names;
}

bool is_shown(FactTopic topic, std::span<const MetricProfile> profiles) {
  return std::ranges::any_of(profiles, [topic](MetricProfile profile) {
    return std::ranges::any_of(fact_metrics(profile),
                               [topic](const FactMetric& metric) { return metric.topic == topic; });
  });
}

}  // namespace winperf
