#include "exporter/text/own_families.h"

#include <algorithm>

namespace winperf {

prometheus::MetricFamily own_family(const char* name, const char* help,
                                    prometheus::MetricType type) {
  prometheus::MetricFamily family;
  family.name = name;
  family.help = help;
  family.type = type;
  return family;
}

prometheus::ClientMetric own_metric(const char* label, const std::string& label_value,
                                    prometheus::MetricType type, double value) {
  prometheus::ClientMetric metric;
  metric.label.push_back({label, label_value});
  (type == prometheus::MetricType::Counter ? metric.counter.value : metric.gauge.value) = value;
  return metric;
}

std::vector<prometheus::MetricFamily> selected_families(
    std::vector<prometheus::MetricFamily> families, const PageSelection& selection) {
  if (selection.has_all()) return families;
  const auto is_left_out = [&](const prometheus::ClientMetric& metric) {
    const auto label =
        std::ranges::find(metric.label, "counterset", &prometheus::ClientMetric::Label::name);
    return label != metric.label.end() && !selection.has_state_of(label->value);
  };
  std::erase_if(families, [&](const auto& family) { return !selection.has_name(family.name); });
  for (prometheus::MetricFamily& family : families) std::erase_if(family.metric, is_left_out);
  return families;
}

}  // namespace winperf
