// The exporter's own metrics about the processes that make its queries.
// Thread rule: any thread.
#pragma once

#include <prometheus/metric_family.h>

#include <span>
#include <vector>

#include "collectors/model/worker_state.h"
#include "exporter/text/page_selection.h"

namespace winperf {

// Without values where there are none: no workers, none running, or the system doesn't say.
[[nodiscard]] std::vector<prometheus::MetricFamily> worker_metrics(
    std::span<const WorkerState> workers, const PageSelection& selection = {});

}  // namespace winperf
