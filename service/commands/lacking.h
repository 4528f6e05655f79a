// What a valid configuration names, and this machine doesn't have: for `check-config --strict`.
// Thread rule: one thread.
#pragma once

#include <string>
#include <vector>

#include "config/config.h"
#include "service/commands/resolved_plan.h"

namespace winperf {

// A sentence for each thing. `plan`: what became of `config`, whose patterns stand for countersets
// already. Text files' folders are looked for only if `has_facts`: a recording has none.
std::vector<std::string> what_is_lacking(const ResolvedPlan& plan, const Config& config,
                                         bool has_facts);

}  // namespace winperf
