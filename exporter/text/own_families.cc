#include "exporter/text/own_families.h"

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

}  // namespace winperf
