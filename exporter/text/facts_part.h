// The facts on the page. Thread rule: any thread.
#pragma once

#include <cstddef>
#include <span>
#include <string>

#include "collectors/facts/fact_state.h"
#include "collectors/model/metric_profile.h"
#include "exporter/text/own_metrics.h"
#include "exporter/text/page_format.h"
#include "exporter/text/page_selection.h"

namespace winperf {

struct FactMoment {
  SteadyTime now{};
  double unix_seconds = 0;
};

// By the names of each profile. Facts that have got too old are left out.
LeftOutFacts append_facts(std::string& out, PageFormat format, const FactSnapshot& facts,
                          std::span<const MetricProfile> profiles, const FactMoment& moment,
                          const PageSelection& selection, std::size_t max_series_of_topic);

}  // namespace winperf
