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

// HELP of metric families: first what the metric is, then the system's text about the counter, and
// where the value comes from. Here: what a family shows of its counter.
struct Meaning {
  MetricType type = MetricType::kGauge;
  ValueSource source = ValueSource::kRaw;
  std::string_view suffix{};             // of the family's name, which has its unit
  std::string_view label{};              // of a family that counters share
  std::chrono::milliseconds interval{};  // between two samples; 0 if it isn't known
};

// "Rate per second between the last two samples, 5 s apart."
std::string meaning_of(const Meaning& meaning);

// The system's text on one line of bounded length, if there is one, and the counter:
// "Time in user mode. [Processor\% User Time, PERF_100NSEC_TIMER, 238/142]".
std::string origin_of(const CountersetSchema& schema, const CounterSchema& counter);
// The same of the counter's base.
std::string base_origin_of(const CountersetSchema& schema, const CounterSchema& counter);

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
