// From facts to a diagnosis: a pure function over one table of rules.
//
// Every rule looks at all facts and gives a finding or none. The diagnosis' cause is the worst
// finding and, among equals, the one of the most specific rule; the others are told beside it. What
// would explain an absence is a failure where the object is absent, and a warning where it is
// delivered nevertheless: the next time that providers are loaded, it may not be.
// Thread rule: any thread.
#pragma once

#include <span>
#include <string_view>

#include "collectors/diagnosis/facts.h"
#include "collectors/sampling/plan.h"
#include "service/doctor/finding.h"

namespace winperf {

Diagnosis diagnose(const PlannedCounterset& request, const CountersetFacts& facts,
                   const MachineFacts& machine);

}  // namespace winperf
