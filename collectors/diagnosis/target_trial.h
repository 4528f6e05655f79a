// Collects the facts about another machine: whether its counters can be read at all, and what lies
// between. What it answers is a stranger's. Thread rule: one thread at a time, that of the source.
#pragma once

#include <string>
#include <string_view>

#include "collectors/base/clock.h"
#include "collectors/diagnosis/facts.h"
#include "collectors/sources/perflib_source.h"
#include "collectors/sources/source.h"

namespace winperf {

// Reads one small object, which tells whether the machine can be read, and its time.
[[nodiscard]] TargetFacts try_target(CounterSource& source, const std::string& host,
                                     const ClockSource& clocks = system_clocks());

// Whether PerfLib lists its countersets.
void try_target_perflib(PerflibSource& perflib, TargetFacts& target);

// Looks its address up, and tries its SMB port for a few seconds. win/ does it; elsewhere (posix/)
// nothing is known.
void look_at_target(TargetFacts& target);

// The identity on the network of the account with this SID, such as "S-1-5-19".
// Source: Learn, "LocalService account" and "Service accounts" (virtual accounts).
[[nodiscard]] NetworkIdentity identity_of(std::string_view sid);

}  // namespace winperf
