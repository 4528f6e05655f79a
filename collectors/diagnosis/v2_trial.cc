#include "collectors/diagnosis/v2_trial.h"

#include <algorithm>
#include <chrono>
#include <optional>
#include <string>
#include <utility>

#include "collectors/diagnosis/delivered.h"
#include "collectors/sampling/perflib_reader.h"

namespace winperf {
namespace {

using SteadyClock = std::chrono::steady_clock;

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
  if (reading) trial.object = count_delivered(*reading->sample, counterset.selection);
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
