// Maps the counters of one object to metric families by the rule of docs/metrics.md and the tables
// of docs/metric-names.md. The result depends only on the schema and the context. Keys are unique
// within the object, but for families that counters share. Names may still clash, even with those
// of another object; resolve_name_clashes() resolves that. Thread rule: any thread.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "collectors/model/sample.h"
#include "exporter/mapping/family.h"

namespace winperf {

// Maps the counters of one object to the metric families by which another exporter has them, as its
// tables say (exporter/profiles/profile.h). Thread rule: any thread.

// A row whose counter the object lacks has no family, nor one that asks for a base or a start that
// the counter doesn't have.
std::vector<FamilyMapping> map_profile(const CountersetSchema& schema, MetricProfile profile);

// The family of one row; the labels are the row's alone.
std::optional<FamilyMapping> map_row(const CountersetSchema& schema, const ProfileBlock& block,
                                     const ProfileRow& row);

// The parts of the sample, in addition to the schema, that matter for an object.
struct MappingContext {
  std::chrono::milliseconds interval{};  // between two samples; 0 if it isn't known
  bool newer_is_sampled = false;         // the object that took this one's place is sampled, too
  bool operator==(const MappingContext&) const = default;
};

ObjectMapping map_object(const CountersetSchema& schema, const MappingOptions& options,
                         const MappingContext& context = {});

}  // namespace winperf
