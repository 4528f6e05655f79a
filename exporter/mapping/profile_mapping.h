// Maps the counters of one object to the metric families by which another exporter has them, as its
// tables say (exporter/profiles/profile.h). Thread rule: any thread.
#pragma once

#include <optional>
#include <vector>

#include "collectors/model/sample.h"
#include "exporter/mapping/family.h"

namespace winperf {

// A row whose counter the object lacks has no family, nor one that asks for a base or a start that
// the counter doesn't have.
std::vector<FamilyMapping> map_profile(const CountersetSchema& schema, MetricProfile profile);

// The family of one row; the labels are the row's alone.
std::optional<FamilyMapping> map_row(const CountersetSchema& schema, const ProfileBlock& block,
                                     const ProfileRow& row);

}  // namespace winperf
