// Reads countersets once, as they are configured, and looks their names up: the facts of each
// counterset.
// Thread rule: one thread at a time, that of the source.
#pragma once

#include <span>
#include <vector>

#include "collectors/catalog/catalog_keeper.h"
#include "collectors/diagnosis/facts.h"
#include "collectors/sampling/plan.h"
#include "collectors/sources/perflib_api.h"
#include "collectors/sources/source.h"

namespace winperf {

// One query per counterset, so that none can spoil another; of alternative names, up to the first
// one that is delivered.
[[nodiscard]] std::vector<CountersetFacts> try_countersets(
    CounterSource& source, const CatalogKeeper& catalog,
    std::span<const PlannedCounterset> countersets);

// The same for a recording, whose samples are read until everything was found, or to the end.
[[nodiscard]] std::vector<CountersetFacts> try_capture(
    CounterSource& capture, const CatalogKeeper& catalog,
    std::span<const PlannedCounterset> countersets);

// Reads the English name tables, and counts how many of each provider's indices have a name.
void note_name_tables(MachineFacts& machine, CounterSource& source);

// Reads countersets via PerfLib as they are configured, for the facts of V2 providers: which V2
// countersets there are and, of those that `countersets` names and may read via PerfLib, whether
// their provider runs and what it delivers. That replaces what the trial through the registry
// found; `facts` has one entry for each of `countersets`. Thread rule: one thread.
void try_v2_countersets(PerflibApi& perflib, Language names,
                        std::span<const PlannedCounterset> countersets, MachineFacts& machine,
                        std::span<CountersetFacts> facts);

}  // namespace winperf
