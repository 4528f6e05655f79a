// What a configuration amounts to on a machine: which countersets it finds there, by which path,
// and which of their counters and instances it selects right now. Thread rule: one thread.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "collectors/model/sample.h"
#include "collectors/sampler/sampler.h"
#include "config/config.h"
#include "exporter/mapping/family.h"

namespace winperf {

// What of a sample is on the metrics page, by the names that people know. Thread rule: any thread.
// Names in the order of the sample.
struct Exposure {
  std::vector<std::string> shown;
  std::vector<std::string> hidden;  // sampled, but not on the page
};

// Hidden are those that are no numbers, such as texts.
Exposure exposed_counters(const CountersetSample& sample, const MappingOptions& options);
// By their display names; none where the object has no instances. Hidden are totals.
Exposure exposed_instances(const CountersetSample& sample, const MappingOptions& options);

struct ResolvedCounterset {
  std::string label;               // as configured
  std::vector<std::string> names;  // the alternatives
  std::string machine{};           // where a recording is of several; empty otherwise
  std::chrono::milliseconds interval{0};
  CounterPath path = CounterPath::kAuto;  // as configured

  // Where the machine was asked; `state` has the reason if it could not be read.
  std::optional<CountersetState> state{};
  std::uint64_t all_counters = 0;   // that the counterset has, and not only what is selected
  std::uint64_t all_instances = 0;  // right now
  Exposure counters{};              // of those that are selected
  Exposure instances{};             // the same
  std::uint64_t series = 0;         // on the metrics page
};

struct ResolvedPlan {
  std::vector<ResolvedCounterset> countersets;  // in configured order
  std::string unresolved;                       // why the machine was not asked; empty where it was
};

// From the file alone.
ResolvedPlan unresolved_plan(const Config& config, std::string why);
// Asks the machine: one sample of everything, or two, a second apart, where values are exposed that
// take two. Of a recording as many as it takes to find every counterset, without waiting. What is
// selected and what there is are counted in the same sample. Countersets of several machines follow
// one another in the plan. A stop ends it early.
ResolvedPlan resolve_plan(const SamplerSources& sources, const Config& config, bool is_recording,
                          const std::stop_token& stop);

}  // namespace winperf
