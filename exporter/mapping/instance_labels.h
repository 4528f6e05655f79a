// The labels that tell the instances of an object apart.
//
// Every instance gets labels of its own: "#1" and so on is appended to a name only where the names,
// parents, process and thread ids before it do not suffice. "_Total" (and "0,_Total" of Processor
// Information) is left out where the object has other instances, unless options ask for it.
// The rows come sorted by their labels, whatever the provider's order.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "collectors/model/sample.h"
#include "exporter/mapping/family.h"

namespace winperf {

struct InstanceLabels {
  std::size_t row = 0;        // in the sample's arrays
  bool single = false;        // an object without instances: no labels at all
  std::string instance_name;  // label instance_name
  std::string parent_name;    // label parent_name; empty: no such label
  std::optional<std::uint64_t> process_id;
  std::optional<std::uint64_t> thread_id;
};

std::vector<InstanceLabels> map_instances(bool multi_instance, const InstanceSet* instances,
                                          const MappingOptions& options);

}  // namespace winperf
