// What `doctor` prints: a text for people, a document for programs.
//
// The document's keys are stable:
//   {"source": "registry" | "replay" | "target",
//    "summary": {"ok": n, "warning": n, "failed": n},
//    "countersets": [{"counterset", "status": "ok" | "warning" | "failed",
//                     "object", "object_index" (or null), "service" (or null),
//                     "reason", "sentence", "repair": [{"command", "text"}], "evidence": [text],
//                     "also": [{"severity", "reason", "sentence", "repair", "evidence"}]}]}
// A counterset has "machine" with --target, and if a recording has several; if nothing of the other
// machine can be read, "every counterset" stands for all of them. A repair without a command has
// "command": null. docs/doctor.md explains the reasons. Thread rule: any thread.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "service/doctor/rules.h"

namespace winperf {

std::string diagnoses_to_text(std::span<const Diagnosis> diagnoses);
// `source`: the document's.
std::string diagnoses_to_json(std::span<const Diagnosis> diagnoses, std::string_view source);

}  // namespace winperf
