// The labels that another exporter gives to the instances of an object, as its tables say.
//
// A total has no series, nor has an instance that the table skips by its name. Every other one that
// has none is counted: the table has no place for its name or only one for all of them, another one
// has the same labels already, or it is a process that has ended. Thread rule: any thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "collectors/model/sample.h"
#include "exporter/profiles/name_template.h"
#include "exporter/profiles/profile.h"

namespace winperf {

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
