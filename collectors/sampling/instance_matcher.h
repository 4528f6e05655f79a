// Matches the instances of a sample with those of the sample before: which of them are the same
// thing. SampleChain calls it for each pair of samples whose instances differ.
//
// Order and "#n" numbers mean nothing, because instances may be listed in any order. The identity
// of an instance is its parent, name and unique id, and for processes and threads the id and the
// start time, so that a process that reuses an id is a new instance. Instances of other objects
// that belong to a process are the same as long as that process is the same one, or isn't known in
// one of the samples. Instances that are still alike (duplicates without an id) are matched in list
// order.
// Cost: linear, so it is called only when the instances have changed.
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "collectors/model/sample.h"

namespace winperf {

inline constexpr std::uint32_t kNewInstance = std::numeric_limits<std::uint32_t>::max();

// For each current instance the row of the same instance in `previous`, or kNewInstance. No row of
// `previous` is used twice.
[[nodiscard]] std::vector<std::uint32_t> match_instances(std::span<const InstanceSchema> previous,
                                                         std::span<const InstanceSchema> current);

// Sets InstanceSchema::duplicate: 0 for the first instance with a parent and name, then 1, 2, ...
// in list order. Like perfmon, it ignores ASCII case.
void number_duplicates(std::span<InstanceSchema> instances);

}  // namespace winperf
