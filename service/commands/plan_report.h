// What `check-config` prints of a valid file: a text for people, a document for programs.
//
// The document's keys are stable:
//   {"file", "listen", "unresolved": text or null, "series": n,
//    "countersets": [{"counterset", "names": [text], "interval_seconds", "configured_path",
//                     "found": bool or null, "error": text or null, "object", "path",
//                     "counters": [text], "counters_in_all", "instances": [text],
//                     "instances_in_all", "series"}]}
// Of a counterset that was not found there is nothing behind "error".
#pragma once

#include <string>

#include "service/commands/resolved_plan.h"

namespace winperf {

struct PlanHead {
  std::string file;
  std::string listen;  // "127.0.0.1:10182"
};

std::string plan_to_text(const PlanHead& head, const ResolvedPlan& plan);
std::string plan_to_json(const PlanHead& head, const ResolvedPlan& plan);

}  // namespace winperf
