// The labels that tell the instances of an object apart.
//
// Every instance gets labels of its own: "#1" and so on is appended to a name only if name, parent,
// process id and thread id don't distinguish two instances. "_Total" (and "0,_Total" of Processor
// Information) is left out if the object has other instances, unless the options ask for it. The
// process id that Windows may append to the names of processes is left to its label. The rows are
// sorted by their labels, whatever the provider's order. Labels that the configuration takes from
// the name may replace those of the instance and its parent, unless instances then had the same
// labels. Of instances that were chosen from more, each has the labels that it has
// among all, so that a series stays one instance's whichever are chosen. Thread rule: any thread.
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
  std::size_t row = 0;   // in the sample's arrays
  bool single = false;   // an object without instances: no labels at all
  std::string instance;  // the label that object_row() calls instance_label
  std::string parent;    // the label parent_label; left out if empty
  std::optional<std::uint64_t> process_id;
  std::optional<std::uint64_t> thread_id;
  std::vector<InstanceLabel> more{};  // that the configuration takes from the name
};

std::vector<InstanceLabels> map_instances(const CountersetSchema& schema,
                                          const InstanceSet* instances,
                                          const MappingOptions& options);

}  // namespace winperf
