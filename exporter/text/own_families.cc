#include "exporter/text/own_families.h"

namespace winperf {

using prometheus::ClientMetric;
using prometheus::MetricFamily;
using prometheus::MetricType;

MetricFamily own_family(const char* name, const char* help, MetricType type) {
  MetricFamily family;
  family.name = name;
  family.help = help;
  family.type = type;
  return family;
}

ClientMetric own_metric(const char* label, const std::string& label_value, MetricType type,
                        double value) {
  ClientMetric metric;
  metric.label.push_back({label, label_value});
  (type == MetricType::Counter ? metric.counter.value : metric.gauge.value) = value;
  return metric;
}

}  // namespace winperf
