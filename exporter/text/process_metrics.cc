#include "exporter/text/process_metrics.h"

namespace winperf {
namespace {

using prometheus::MetricType;

void add(std::vector<prometheus::MetricFamily>& families, const char* name, const char* help,
         MetricType type, const std::optional<double>& value) {
  if (!value) return;
  prometheus::ClientMetric metric;
  (type == MetricType::Counter ? metric.counter.value : metric.gauge.value) = *value;
  families.push_back({.name = name, .help = help, .type = type, .metric = {metric}});
}

}  // namespace

std::vector<prometheus::MetricFamily> process_metrics(const ProcessFacts& facts) {
  std::vector<prometheus::MetricFamily> families;
  add(families, "process_cpu_seconds_total",
      "Processor time of this exporter, with the provider DLLs in it.", MetricType::Counter,
      facts.cpu_seconds);
  add(families, "process_open_fds", "Open handles of this exporter.", MetricType::Gauge,
      facts.open_handles);
  add(families, "process_resident_memory_bytes", "Physical memory of this exporter.",
      MetricType::Gauge, facts.resident_bytes);
  add(families, "process_virtual_memory_bytes", "Committed memory of this exporter.",
      MetricType::Gauge, facts.committed_bytes);
  return families;
}

}  // namespace winperf
