// All metrics that another exporter's names can stand for, whatever this machine has: what
// `metrics --profile` shows. Thread rule: one thread.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "collectors/model/metric_profile.h"
#include "config/config.h"
#include "service/commands/listing.h"

namespace winperf {

struct ProfileMetric {
  std::string name;
  std::string type;                 // "counter" or "gauge"
  std::vector<std::string> labels;  // their names
  std::string source;               // "Processor Information\% C1 Time, % C2 Time"
  bool served = false;              // on this machine, by this configuration
};

// Sorted by name. `served`: the names of those that are.
std::vector<ProfileMetric> list_profile(MetricProfile profile,
                                        const std::set<std::string, std::less<>>& served);

// The names that this configuration would serve of these objects, with that profile.
std::set<std::string, std::less<>> served_names(const Listing& listing, Config config,
                                                MetricProfile profile);

std::string profile_to_table(const std::vector<ProfileMetric>& metrics);
std::string profile_to_json(const std::vector<ProfileMetric>& metrics);

}  // namespace winperf
