// What `check-config` prints for a valid file: a text for people, a document for programs.
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

#include "service/commands/resolved_plan.h"

namespace winperf {

struct PlanHead {
  std::string file;
  std::vector<std::string> listen;  // "127.0.0.1:10182"; at least one
  std::vector<TargetConfig> targets{};
};

std::string plan_to_text(const PlanHead& head, const ResolvedPlan& plan);
std::string plan_to_json(const PlanHead& head, const ResolvedPlan& plan);

}  // namespace winperf
