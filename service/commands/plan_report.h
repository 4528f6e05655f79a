// The output of `check-config` for a valid file, as text or JSON.
//
// The document's keys are stable:
//   {"file", "listen": [text], "unresolved": text or null, "series": n,
//    "targets": [{"hosts": [text], "module", "interval_seconds", "countersets": [text]}],
//    "countersets": [{"counterset", "names": [text], "interval_seconds", "configured_path",
//                     "found": bool or null, "error": text or null, "object", "path",
//                     "counters": [text], "counters_in_all", "instances": [text],
//                     "instances_in_all", "series"}]}
// A counterset that was not found has no keys after "error". Thread rule: any thread.
#pragma once

#include <string>
#include <vector>

#include "config/config.h"
#include "service/commands/resolved_plan.h"
#include "service/console/look.h"

namespace winperf {

// Names in a valid configuration that are missing on this machine, for `check-config --strict`.
// Thread rule: one thread.

// One sentence each. `plan`: of `config`, whose patterns are already expanded. Folders of text
// files are checked only if `has_facts`: a recording has none.
std::vector<std::string> missing_names(const ResolvedPlan& plan, const Config& config,
                                       bool has_facts);

struct PlanHead {
  std::string file;
  std::vector<std::string> listen;  // "127.0.0.1:10182"; at least one
  std::vector<TargetConfig> targets{};
};

std::string plan_to_text(const PlanHead& head, const ResolvedPlan& plan, const Look& look = {});
std::string plan_to_json(const PlanHead& head, const ResolvedPlan& plan);

}  // namespace winperf
