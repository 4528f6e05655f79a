// The exporter's own metrics about the other machines that it samples. Thread rule: any thread.
#pragma once

#include <prometheus/metric_family.h>

#include <vector>

#include "collectors/model/clock.h"
#include "collectors/model/target_state.h"
#include "exporter/text/page_selection.h"

namespace winperf {

// Without values where there are none yet.
[[nodiscard]] std::vector<prometheus::MetricFamily> target_metrics(
    const TargetsReport& report, SteadyTime now, const PageSelection& selection = {});

}  // namespace winperf
