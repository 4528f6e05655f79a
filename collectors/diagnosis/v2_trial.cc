#include "collectors/diagnosis/v2_trial.h"

#include <algorithm>
#include <chrono>
#include <optional>
#include <string>
#include <utility>

#include "collectors/sampling/perflib_reader.h"

namespace winperf {
namespace {

using SteadyClock = std::chrono::steady_clock;

constexpr std::size_t kMaxExamples = 5;

void add_example(std::vector<std::string>& examples, const std::string& name) {
  if (examples.size() < kMaxExamples) examples.push_back(name);
}

// `sample` holds everything; `selection` tells what of it is wanted.
DeliveredObject delivered_by(const CountersetSample& sample, const Selection& selection) {
  DeliveredObject delivered;
  delivered.name = sample.schema->name;
  delivered.multi_instance = sample.schema->multi_instance;
  for (const CounterSchema& counter : sample.schema->counters) {
    ++delivered.counters;
    delivered.matching_counters += !selection.counters || selection.counters(counter.name);
    add_example(delivered.counter_names, counter.name);
  }
  for (const InstanceSchema& instance : sample.instances->instances) {
    ++delivered.instances;
    const bool named = !selection.instances || selection.instances(instance.name);
    const bool numbered = !selection.instance_id || instance.unique_id == selection.instance_id;
    delivered.matching_instances += named && numbered;
    add_example(delivered.instance_names, instance.name);
  }
  return delivered;
}

TrialFacts try_name(PerflibPath& path, const PlannedCounterset& counterset,
                    const std::string& name) {
  // Without the selection: what it does not match is part of the diagnosis.
  PlannedCounterset everything;
  everything.label = counterset.label;
  everything.names = {name};
  PerflibReader reader(everything);
  TrialFacts trial;
  const SteadyClock::time_point started = SteadyClock::now();
  path.begin_round(started);
  const auto reading = reader.read(path, name, trial.problems);
  reader.stop(path);
  trial.took = std::chrono::duration_cast<std::chrono::milliseconds>(SteadyClock::now() - started);
  if (reading) trial.object = delivered_by(*reading->sample, counterset.selection);
  if (!reading) trial.error = reading.error();
  return trial;
}

V2CountersetFacts& facts_of(std::vector<V2CountersetFacts>& all, const Guid& guid) {
  return *std::ranges::find_if(all,
                               [&guid](const V2CountersetFacts& one) { return one.guid == guid; });
}

}  // namespace

void try_v2_countersets(PerflibApi& perflib, Language names,
                        std::span<const PlannedCounterset> countersets, MachineFacts& machine,
                        std::span<CountersetFacts> facts) {
  PerflibPath path(perflib, {}, {}, names, SteadyClock::now());
  if (path.catalog_error()) return;
  std::vector<V2CountersetFacts>& v2 = machine.v2.emplace();
  for (const V2Catalog::Entry& entry : path.catalog().entries())
    v2.push_back({.name = entry.name, .guid = entry.guid});

  for (std::size_t i = 0; i < countersets.size(); ++i) {
    if (countersets[i].path == PathChoice::kRegistry) continue;
    for (const std::string& name : countersets[i].names) {
      const std::vector<Guid> guids = path.catalog().named(name);
      if (guids.empty()) continue;
      V2CountersetFacts& known = facts_of(v2, guids.front());
      if (const auto registered = path.catalog().counterset(guids.front()))
        known.provider = (*registered)->provider_name;
      TrialFacts trial = try_name(path, countersets[i], name);
      known.running = trial.object && (!trial.object->multi_instance || trial.object->instances);
      const bool useful = trial.object || !facts[i].trial || !facts[i].trial->object;
      // Nothing is delivered by a provider that does not run, whichever path asks.
      if (!*known.running) trial.object.reset();
      if (useful) facts[i].trial = std::move(trial);
      break;
    }
  }
}

}  // namespace winperf
