// The exporter's own metrics about the processes that make its queries.
// Thread rule: any thread.
#pragma once

#include <prometheus/metric_family.h>

#include <vector>

#include "collectors/model/sample.h"

namespace winperf {

// Without values where there are none: no workers, none running, or the system doesn't say.
[[nodiscard]] std::vector<prometheus::MetricFamily> worker_metrics(const Sample& sample);

}  // namespace winperf
