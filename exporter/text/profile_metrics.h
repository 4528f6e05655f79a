// What windows_exporter says about itself, from what this program knows of the countersets that its
// collectors read. Thread rule: any thread.
#pragma once

#include <prometheus/metric_family.h>

#include <span>
#include <string_view>
#include <vector>

#include "collectors/facts/fact_state.h"
#include "collectors/model/metric_profile.h"
#include "collectors/model/sample.h"
#include "exporter/text/page_selection.h"

namespace winperf {

// The names of these metrics and of their labels.
struct OwnProfileMetric {
  std::string_view name;
  std::span<const std::string_view> labels;
};
std::vector<OwnProfileMetric> own_profile_metrics(MetricProfile profile);

// Of each collector of which a counterset is sampled, or a topic of facts is read, or should be.
// `own`: this program's own families, of which one is about its build. Of the countersets and
// topics, those count which are selected. `making`: how long this page has been made. Nothing
// unless windows_exporter's names are wanted.
std::vector<prometheus::MetricFamily> profile_metrics(const Sample& sample,
                                                      const FactSnapshot& facts,
                                                      std::span<const MetricProfile> profiles,
                                                      std::span<const prometheus::MetricFamily> own,
                                                      SteadyTime::duration making = {},
                                                      const PageSelection& selection = {});

}  // namespace winperf
