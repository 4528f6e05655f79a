// The exporter's own metrics about the countersets of a sample; docs/metrics.md lists them. Thread
// rule: any thread.
#pragma once

#include <prometheus/metric_family.h>

#include <span>
#include <vector>

#include "collectors/model/sample.h"
#include "exporter/text/page_selection.h"
#include "exporter/text/sample_writer.h"

namespace winperf {

// `counts`: in the order of sample.countersets. `now`: on the clock of
// CountersetState::sampled_at.steady.
std::vector<prometheus::MetricFamily> counterset_metrics(const Sample& sample,
                                                         std::span<const CountersetCounts> counts,
                                                         SteadyTime now,
                                                         const PageSelection& selection = {});

}  // namespace winperf
