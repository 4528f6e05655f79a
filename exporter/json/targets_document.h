// The other machines for Prometheus' HTTP service discovery: a list of groups, each with one
// target, this program's address, and the labels that make Prometheus ask it for that machine.
// Thread rule: pure function.
// Source: Prometheus, HTTP SD ("[{"targets": [...], "labels": {...}}]").
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "collectors/model/target_state.h"

namespace winperf::json {

// `address`: under which Prometheus reaches this program. Those that only a pattern names are not
// among them: they come and go with their probes.
[[nodiscard]] std::string targets_document(std::span<const TargetState> targets,
                                           std::string_view address);

}  // namespace winperf::json
