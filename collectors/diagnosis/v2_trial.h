// Asks PerfLib for countersets as they are configured: the facts of V2 providers.
// Thread rule: one thread.
#pragma once

#include <span>
#include <vector>

#include "collectors/diagnosis/facts.h"
#include "collectors/sampling/plan.h"
#include "collectors/sources/perflib_api.h"
#include "collectors/sources/source.h"

namespace winperf {

// Notes which V2 countersets there are and, of those that `countersets` name and may read by
// PerfLib, whether their provider runs and what it delivers. What PerfLib delivers takes the place
// of what the registry's trial found; `facts` has one entry for each of `countersets`.
void try_v2_countersets(PerflibApi& perflib, Language names,
                        std::span<const PlannedCounterset> countersets, MachineFacts& machine,
                        std::span<CountersetFacts> facts);

}  // namespace winperf
