// From the configuration to what the sampler and the metrics page need. Thread rule: any thread.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "collectors/sampling/plan.h"
#include "collectors/sources/perflib_client.h"
#include "collectors/sources/source.h"
#include "config/config.h"
#include "exporter/mapping/family.h"

namespace winperf {

// Called with the counterset's label when a pattern of its filters reaches its match limit on a
// name, which then counts as not matched.
using AbandonedMatchObserver = std::function<void(const std::string& counterset)>;

std::vector<PlannedCounterset> make_plan(const Config& config,
                                         const AbandonedMatchObserver& abandoned_match = {});
// One counterset from the command line: an object, or a counter path.
PlannedCounterset plan_named(const std::string& name, const Config& config);
// The steps from one configuration's plan to another's. A counterset that differs only in its
// interval continues.
std::vector<PlanStep> make_plan(const Config& before, const Config& next,
                                const AbandonedMatchObserver& abandoned_match = {});

// The maximum size of a PerfLib reply.
PerflibLimits perflib_limits(const Config& config);

// Which values are on the metrics page, and how.
MappingOptions mapping_options(const Config& config);
// The same of everything that is sampled, as commands show it.
MappingOptions full_mapping(const Config& config);
// The options of a page that has facts, too.
MappingOptions mapping_beside_facts(const Config& config);

// The language, in addition to English, of the configuration's counterset names.
Language name_language(const Config& config);

}  // namespace winperf
