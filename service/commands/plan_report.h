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

#include "config/config.h"
#include "service/commands/resolved_plan.h"

namespace winperf {

// What a valid configuration names, and this machine doesn't have: for `check-config --strict`.
// Thread rule: one thread.

// A sentence for each thing. `plan`: what became of `config`, whose patterns stand for countersets
// already. Text files' folders are looked for only if `has_facts`: a recording has none.
std::vector<std::string> what_is_lacking(const ResolvedPlan& plan, const Config& config,
                                         bool has_facts);

struct PlanHead {
  std::string file;
  std::vector<std::string> listen;  // "127.0.0.1:10182"; at least one
  std::vector<TargetConfig> targets{};
};

std::string plan_to_text(const PlanHead& head, const ResolvedPlan& plan);
std::string plan_to_json(const PlanHead& head, const ResolvedPlan& plan);

}  // namespace winperf
