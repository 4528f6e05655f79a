// From the configuration to what the sampler has to do.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "collectors/sampling/plan.h"
#include "collectors/sources/perflib_client.h"
#include "collectors/sources/source.h"
#include "config/config.h"

namespace winperf {

// Told the counterset's label when a pattern of its filters was given up on a name, which then
// counts as not matched.
using AbandonedMatchObserver = std::function<void(const std::string& counterset)>;

std::vector<PlannedCounterset> make_plan(const Config& config,
                                         const AbandonedMatchObserver& abandoned_match = {});
// From the plan of one configuration to that of another: what samples the same, if perhaps at
// another interval, goes on.
std::vector<PlanStep> make_plan(const Config& before, const Config& next,
                                const AbandonedMatchObserver& abandoned_match = {});

// How much PerfLib may deliver at once.
PerflibLimits perflib_limits(const Config& config);

// In which language, besides English, the configuration names countersets.
Language name_language(const Config& config);

}  // namespace winperf
