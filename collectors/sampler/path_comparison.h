// Whether the registry and PerfLib say the same of one counterset.
//
// Three samples are compared, taken back to back: by the registry, by PerfLib, by the registry. A
// counter that grows must lie between its two readings by the registry. A state (a gauge) must be
// the same, unless it moved between the two readings: then nothing can be said of it, which is
// counted. Instances may come and go in between: one is missed where only one side has it
// throughout.
// Types, scales and which counters there are must be equal.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "collectors/model/sample.h"

namespace winperf {

struct PathDifference {
  std::string instance;  // display name; empty where it concerns all or there are none
  std::string counter;   // empty where it concerns the instance or the counterset
  std::string what;      // "raw value", "type", "only by the registry", ...
  std::string registry;  // as text; empty where it has none
  std::string perflib;
  bool operator==(const PathDifference&) const = default;
};

struct PathComparison {
  std::vector<PathDifference> differences;
  std::size_t compared = 0;  // values
  std::size_t moving = 0;    // values that changed while they were looked at
};

PathComparison compare_paths(const CountersetSample& registry_before,
                             const CountersetSample& perflib,
                             const CountersetSample& registry_after);

}  // namespace winperf
