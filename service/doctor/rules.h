// From facts to a diagnosis: a pure function over one table of rules.
//
// Every rule examines all facts and returns a finding or none. The diagnosis' cause is the worst
// finding and, among equals, that of the most specific rule; the others are reported with it. A
// finding that would explain an absence is a failure if the object is absent. If it is delivered
// nevertheless, the finding is a warning: the next time providers are loaded, it may not be.
// Thread rule: any thread.
#pragma once

#include <span>
#include <string_view>

#include "collectors/diagnosis/facts.h"
#include "collectors/sampling/plan.h"
#include "service/doctor/finding.h"

namespace winperf {

[[nodiscard]] Diagnosis diagnose(const PlannedCounterset& request, const CountersetFacts& facts,
                                 const MachineFacts& machine);

}  // namespace winperf
