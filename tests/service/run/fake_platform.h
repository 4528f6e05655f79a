// The platform of this room's tests: its registry knows nothing, and it has no PerfLib. Thread
// rule: one thread.
#pragma once

#include "collectors/sources/query_policy.h"

namespace winperf::testing {

// What the last registry source was opened with.
QueryLimits& registry_limits();

}  // namespace winperf::testing
