// Writes metric families of prometheus-cpp as Prometheus text.
// Own code, because that library's serializer neither escapes HELP nor spells NaN as the format
// does. Counters, gauges and untyped families; the exporter has no others.
#pragma once

#include <prometheus/metric_family.h>

#include <span>
#include <string>

namespace winperf {

// In the given order. Families without metrics are left out.
void append_families(std::string& out, std::span<const prometheus::MetricFamily> families);

}  // namespace winperf
