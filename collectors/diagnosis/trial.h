// Asks for countersets as they are configured, and looks up what they are called: the facts of each
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

// One query a counterset, so that one can't spoil the other; of alternatives, up to the first that
// is delivered.
std::vector<CountersetFacts> try_countersets(CounterSource& source, const CatalogKeeper& catalog,
                                             std::span<const PlannedCounterset> countersets);

// The same for a capture, whose samples are read to the end where something is not found before.
std::vector<CountersetFacts> try_capture(CounterSource& capture, const CatalogKeeper& catalog,
                                         std::span<const PlannedCounterset> countersets);

// Reads the English name tables, and counts how many of each provider's indices they name.
void note_name_tables(MachineFacts& machine, CounterSource& source);

// Asks PerfLib for countersets as they are configured: the facts of V2 providers.
// Thread rule: one thread.
// Notes which V2 countersets there are and, of those that `countersets` name and may read by
// PerfLib, whether their provider runs and what it delivers. What PerfLib delivers takes the place
// of what the registry's trial found; `facts` has one entry for each of `countersets`.
void try_v2_countersets(PerflibApi& perflib, Language names,
                        std::span<const PlannedCounterset> countersets, MachineFacts& machine,
                        std::span<CountersetFacts> facts);

}  // namespace winperf
