#include "exporter/text/metric_families.h"

#include "exporter/text/exposition.h"

namespace winperf {
namespace {

std::string_view type_name(prometheus::MetricType type) {
  if (type == prometheus::MetricType::Counter) return "counter";
  if (type == prometheus::MetricType::Gauge) return "gauge";
  return "untyped";
}

double value_of(const prometheus::ClientMetric& metric, prometheus::MetricType type) {
  if (type == prometheus::MetricType::Counter) return metric.counter.value;
  if (type == prometheus::MetricType::Gauge) return metric.gauge.value;
  return metric.untyped.value;
}

void append_labels(std::string& out, const prometheus::ClientMetric& metric) {
  char separator = '{';
  for (const auto& label : metric.label) {
    out += separator;
    append_label(out, label.name, label.value);
    separator = ',';
  }
  if (!metric.label.empty()) out += '}';
}

}  // namespace

void append_families(std::string& out, std::span<const prometheus::MetricFamily> families) {
  for (const prometheus::MetricFamily& family : families) {
    if (family.metric.empty()) continue;
    append_header(out, family.name, family.help, type_name(family.type));
    for (const prometheus::ClientMetric& metric : family.metric) {
      out += family.name;
      append_labels(out, metric);
      out += ' ';
      append_number(out, value_of(metric, family.type));
      out += '\n';
    }
  }
}

}  // namespace winperf
