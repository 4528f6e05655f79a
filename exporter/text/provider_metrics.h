// The exporter's own metrics about the V1 providers that have a worker process of their own.
// Thread rule: any thread.
#pragma once

#include <prometheus/metric_family.h>

#include <vector>

#include "collectors/model/sample.h"
#include "exporter/text/page_selection.h"

namespace winperf {

// Without values where there are none: no such provider, or one that was never asked.
[[nodiscard]] std::vector<prometheus::MetricFamily> provider_metrics(
    const Sample& sample, const PageSelection& selection = {});

}  // namespace winperf
