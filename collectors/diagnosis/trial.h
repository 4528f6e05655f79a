// Collects the facts about countersets: looks up the names of each one, and reads it once as it is
// configured.
// Thread rule: one thread at a time, that of the source.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "collectors/base/clock.h"
#include "collectors/catalog/catalog.h"
#include "collectors/diagnosis/facts.h"
#include "collectors/sampling/plan.h"
#include "collectors/sources/perflib_source.h"
#include "collectors/sources/source.h"

namespace winperf {

// Collects the facts about a target: whether its counters can be read, and its connection. Its data
// is untrusted. Thread rule: one thread at a time, that of the source.

// Reads one small object, to see whether the machine can be read, and its time.
[[nodiscard]] TargetFacts try_target(CounterSource& source, const std::string& host,
                                     const ClockSource& clocks = system_clocks());

// Whether PerfLib lists its countersets.
void try_target_perflib(PerflibSource& perflib, TargetFacts& target);

// Resolves its address, and tries its SMB port for a few seconds. Only in win/; posix/ does
// nothing.
void probe_target(TargetFacts& target);

// The identity on the network of the account with this SID, such as "S-1-5-19".
// Source: Learn, "LocalService account" and "Service accounts" (virtual accounts).
[[nodiscard]] NetworkIdentity identity_of(std::string_view sid);

// Finds a counterset in a reply and counts what the configured filters accept. A damaged part is
// reported; everything before it is counted. Thread rule: any thread.
//
// If the reply has several of `wanted`, this is the one with the lowest index, as in the sampler.
// There is no object if the reply has none of them, or only definitions.
[[nodiscard]] TrialFacts find_delivered(const Reply& reply, const Catalog& catalog,
                                        std::span<const ObjectIndex> wanted,
                                        const Selection& selection);

// Makes one query per counterset, so that they can't affect each other. Alternative names are tried
// in order, up to the first one that is delivered.
[[nodiscard]] std::vector<CountersetFacts> try_countersets(
    CounterSource& source, const CatalogKeeper& catalog,
    std::span<const PlannedCounterset> countersets);

// The same for a recording, whose samples are read until everything was found, or to the end.
[[nodiscard]] std::vector<CountersetFacts> try_capture(
    CounterSource& capture, const CatalogKeeper& catalog,
    std::span<const PlannedCounterset> countersets);

// Reads the English name tables, and counts how many of each provider's indices have a name.
void note_name_tables(MachineFacts& machine, CounterSource& source);

// Reads countersets via PerfLib as they are configured, for the facts about V2 providers: which V2
// countersets exist, and for those that `countersets` names and may read via PerfLib, whether their
// provider runs and what it delivers. This replaces the outcome of the trial through the registry;
// `facts` has one entry for each of `countersets`. Thread rule: one thread.
void try_v2_countersets(PerflibSource& perflib, Language names,
                        std::span<const PlannedCounterset> countersets, MachineFacts& machine,
                        std::span<CountersetFacts> facts);

}  // namespace winperf
