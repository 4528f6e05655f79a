// The metrics about its own process that every exporter has, under the names that they all use.
// Thread rule: any thread.
#pragma once

#include <prometheus/metric_family.h>

#include <vector>

#include "exporter/text/process_facts.h"

namespace winperf {

// Sorted by name; what is not known is left out.
std::vector<prometheus::MetricFamily> process_metrics(const ProcessFacts& facts);

}  // namespace winperf
