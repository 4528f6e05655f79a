// GET /api/v1/discovery: the countersets that this machine has, and which of them are sampled.
// Thread rule: any thread.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "collectors/facts/fact_state.h"
#include "collectors/model/inventory.h"
#include "collectors/model/target_state.h"

namespace winperf::json {

// The other machines for Prometheus' HTTP service discovery: a list of groups, each with one
// target, this program's address, and the labels that make Prometheus ask it for that machine.
// Thread rule: pure function.
// Source: Prometheus, HTTP SD ("[{"targets": [...], "labels": {...}}]").

// `address`: under which Prometheus reaches this program. Those that only a pattern names are not
// among them: they come and go with their probes.
[[nodiscard]] std::string targets_document(std::span<const TargetState> targets,
                                           std::string_view address);

// GET /api/v1/facts: what is known of each topic that is not a counter. Thread rule: any thread.

// {"topics": [{"topic", "success", "error", "duration_seconds", "age_seconds",
//              "rows": [{field: text or number}], "problems": ["..."]}]}
// error: why the last reading failed; null if it did not. age_seconds is null, and rows are
// missing, if there are none, or they have got too old. `topic`: only that one.
std::string facts_document(const FactSnapshot& facts, std::optional<FactTopic> topic,
                           SteadyTime now);

// {"found_at", "supports_metadata", "asked": ["OLD_MetadataGlobal", ...], "duration_seconds",
//  "reply_bytes", "error", "incomplete", "problems": ["..."],
//  "absent": ["..."],
//  "countersets": [{"name", "key", "costly", "active", "sampled"}]}
// found_at and what follows from a look are null or empty before the first one that succeeded. key:
// the title index, or the GUID. error: why the last look failed; null if it did not. incomplete:
// why there may be countersets that the last one that succeeded has not found; null if there is no
// reason to think so. absent: what the configuration names and a whole look has not found.
std::string discovery_document(const DiscoveryReport& report);

}  // namespace winperf::json
