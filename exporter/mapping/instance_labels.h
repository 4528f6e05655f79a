// The labels that distinguish the instances of an object.
//
// Every instance gets unique labels: "#1" and so on is appended to a name only if name, parent,
// process id and thread id don't distinguish two instances. "_Total" (and "0,_Total" of Processor
// Information) is left out if the object has other instances, unless the options ask for it. The
// process id that Windows may append to the names of processes is left to its label. The rows are
// sorted by their labels, regardless of the provider's order. Labels that the configuration takes
// from the name may replace those of the instance and its parent, unless instances then had the
// same labels. Instances that were selected from more keep the labels that they have among all, so
// that a series always belongs to the same instance. Thread rule: any thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "collectors/model/sample.h"
#include "exporter/mapping/family.h"
#include "exporter/profiles/name_template.h"
#include "exporter/profiles/profile.h"

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

// The labels that another exporter gives to the instances of an object, as its tables say.
//
// A total has no series, nor has an instance that the table skips by its name. Every other one that
// has none is counted: the table has no place for its name or only one for all of them, another one
// has the same labels already, or it is a process that has ended. Thread rule: any thread.
struct ProfileRows {
  struct Row {
    std::size_t row = 0;  // in the sample's arrays
    std::vector<LabelPart> labels;
  };
  std::vector<Row> rows;       // sorted by their labels
  std::uint64_t unplaced = 0;  // those that are counted
};

// The names of those labels.
std::vector<std::string> instance_labels(const ProfileBlock& block);

// An object without instances has one row without labels.
ProfileRows label_rows(const CountersetSchema& schema, const InstanceSet* instances,
                       const ProfileBlock& block);

}  // namespace winperf
