// What of a sample is on the metrics page, by the names that people know. Thread rule: any thread.
#pragma once

#include <string>
#include <vector>

#include "collectors/model/sample.h"
#include "exporter/mapping/family.h"

namespace winperf {

// Names in the order of the sample.
struct Exposure {
  std::vector<std::string> shown;
  std::vector<std::string> hidden;  // sampled, but not on the page
};

// Hidden are those that are no numbers, such as texts.
Exposure exposed_counters(const CountersetSample& sample, const MappingOptions& options);
// By their display names; none where the object has no instances. Hidden are totals.
Exposure exposed_instances(const CountersetSample& sample, const MappingOptions& options);

}  // namespace winperf
