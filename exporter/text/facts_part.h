// The facts on the page, and what is said about reading them. Thread rule: any thread.
#pragma once

#include <prometheus/metric_family.h>

#include <array>
#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "collectors/facts/fact_state.h"
#include "collectors/model/metric_profile.h"
#include "exporter/text/page_format.h"
#include "exporter/text/page_selection.h"

namespace winperf {

struct FactMoment {
  SteadyTime now{};
  double unix_seconds = 0;
};

// Series that have no place on the page, by topic: a second one with the same labels, or more of a
// topic than may be there.
using LeftOutFacts = std::array<std::size_t, kFactTopicCount>;

// By the names of each profile. Facts that have got too old are left out.
LeftOutFacts append_facts(std::string& out, PageFormat format, const FactSnapshot& facts,
                          std::span<const MetricProfile> profiles, const FactMoment& moment,
                          const PageSelection& selection, std::size_t max_series_of_topic);

// How each topic was read the last time.
std::vector<prometheus::MetricFamily> facts_metrics(const FactSnapshot& facts, SteadyTime now,
                                                    const LeftOutFacts& left_out,
                                                    const PageSelection& selection);

}  // namespace winperf
