// Collects the facts about countersets: looks up the names of each one, and reads it once as it is
// configured.
// Thread rule: one thread at a time, that of the source.
#pragma once

#include <span>
#include <vector>

#include "collectors/catalog/catalog_keeper.h"
#include "collectors/diagnosis/facts.h"
#include "collectors/sampling/plan.h"
#include "collectors/sources/perflib_source.h"
#include "collectors/sources/source.h"

namespace winperf {

// Makes one query per counterset, so that none can spoil another. Alternative names are tried in
// order, up to the first one that is delivered.
[[nodiscard]] std::vector<CountersetFacts> try_countersets(
    CounterSource& source, const CatalogKeeper& catalog,
    std::span<const PlannedCounterset> countersets);

// The same for a recording, whose samples are read until everything was found, or to the end.
[[nodiscard]] std::vector<CountersetFacts> try_capture(
    CounterSource& capture, const CatalogKeeper& catalog,
    std::span<const PlannedCounterset> countersets);

// Reads the English name tables, and counts how many of each provider's indices have a name.
void note_name_tables(MachineFacts& machine, CounterSource& source);

// Reads countersets via PerfLib as they are configured, for the facts about V2 providers: which V2
// countersets exist, and for those that `countersets` names and may read via PerfLib, whether their
// provider runs and what it delivers. This replaces the outcome of the trial through the registry;
// `facts` has one entry for each of `countersets`. Thread rule: one thread.
void try_v2_countersets(PerflibSource& perflib, Language names,
                        std::span<const PlannedCounterset> countersets, MachineFacts& machine,
                        std::span<CountersetFacts> facts);

}  // namespace winperf
