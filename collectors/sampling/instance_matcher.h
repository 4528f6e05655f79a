// Which instance of the previous sample is the same thing as which instance of the current one.
//
// Order and "#n" numbers say nothing: an instance list may be in any order in each sample. The
// identity of an instance is its parent, name and unique id, and for processes and threads the id
// and the start time, so that a process id that was given to another process is a new instance.
// Instances that are still alike (duplicates without an id) are matched in the order of the list.
// Cost: linear; call it only when the instances have changed.
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "collectors/model/sample.h"

namespace winperf {

inline constexpr std::uint32_t kNewInstance = std::numeric_limits<std::uint32_t>::max();

// For each current instance the row of the same one in `previous`, or kNewInstance. No previous row
// is given twice.
std::vector<std::uint32_t> match_instances(std::span<const InstanceSchema> previous,
                                           std::span<const InstanceSchema> current);

// Sets InstanceSchema::duplicate: 0 for the first instance with a parent and name (compared without
// regard to ASCII case, as perfmon does), then 1, 2, ... in list order.
void number_duplicates(std::span<InstanceSchema> instances);

}  // namespace winperf
