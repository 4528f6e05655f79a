// Documents about countersets: what is sampled of them, what their counters are, and how these are
// called on the page of metrics. Their keys are those of the commands (docs/command-json.md).
// Thread rule: pure functions; MetricNames has its own.
#pragma once

#include <cstdint>
#include <expected>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "collectors/model/sample.h"
#include "exporter/api/metric_names.h"
#include "exporter/api/problem.h"
#include "exporter/text/page_selection.h"

namespace winperf::api {

// A step of a repair, as the doctor suggests it.
struct RepairStep {
  std::string command{};  // ready to paste; empty if it is none
  std::string text{};     // what it does, or what to do
};

// Why a counterset can't be read, and what to do about it.
struct Advice {
  std::string sentence{};  // empty: nothing is known beyond the error
  std::vector<RepairStep> repair{};
};

// Called for countersets whose last attempt failed, by the thread of the request. May be empty.
using Advise = std::function<Advice(const CountersetState&)>;

// GET /api/v1/countersets. `series`: on the page, by counterset; empty if they aren't known.
//   {"countersets": [{"name", "object", "path", "object_index", "status", "reason", "sentence",
//                     "repair": [{"command", "text"}], "interval_seconds", "age_seconds",
//                     "duration_seconds", "counters", "instances", "series"}]}
// status: ok, stale, failed, absent, or pending before the first attempt. reason and sentence: why
// the last attempt failed; null if it did not, and then no step is in repair.
std::string countersets_document(const Sample& sample, std::span<const std::uint64_t> series,
                                 SteadyTime now, const Advise& advise = {});

// GET /api/v1/countersets/{name}: the counterset at this place of the sample.
//   {"name", ..., "help", "multi_instance", "counters": [{"name", "counter_index", "type",
//    "type_name", "base_type", "formula", "help", "scale", "metrics": [{"name", "type", "unit",
//    "on_page", "promql"}]}], "instance_names": ["..."]}
std::string counterset_document(const Sample& sample, std::size_t place, MetricNames& names,
                                SteadyTime now, const Advise& advise = {});

// GET /api/v1/counters?q=: the counters whose name, help, or counterset has this text, regardless
// of case; those with the text in the name first.
//   {"counters": [{"counterset", "object", "name", "local_name", "type", "type_name", "help"}],
//    "left_out": 0}
std::string counters_document(const Sample& sample, std::string_view text);

inline constexpr std::size_t kMostCountersFound = 500;

// GET /api/v1/names?path=: the metrics of what a path selects.
//   {"path", "sampled", "counters": [{"object", "counter", "type", "type_name", "metrics": [{...,
//    "series": [{"instance", "labels", "promql"}]}]}], "configuration": "countersets: ..."}
// Of each counter there are at most kMostInstancesNamed instances.
[[nodiscard]] std::expected<std::string, Problem> names_document(const CountersetIndex& index,
                                                                 const std::string& path,
                                                                 MetricNames& names);

inline constexpr std::size_t kMostInstancesNamed = 100;

}  // namespace winperf::api
