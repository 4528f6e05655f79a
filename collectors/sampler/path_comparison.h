// Compares what the registry and another path, PerfLib or provider hosts, say about one counterset.
// PathVerifier takes the samples and repeats the comparison.
//
// Three samples are compared, taken back to back: through the registry, through the other path, and
// through the registry again. A counter that grows must lie between its two readings through the
// registry. A gauge must be the same in all three. If it differs between the two readings through
// the registry, it proves nothing, and is counted as such. Instances may come and go in between:
// one counts as missing if only one side has it throughout. Types, scales and the set of counters
// must be equal.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "collectors/model/sample.h"

namespace winperf {

struct PathDifference {
  std::string instance;  // display name; empty if there are none, or it concerns all
  std::string counter;   // empty if it concerns the whole instance or counterset
  std::string what;      // "raw value", "type", "counter only via PerfLib", ...
  std::string registry;  // as text; empty if this path has none
  std::string other;
  bool operator==(const PathDifference&) const = default;
};

struct PathComparison {
  std::vector<PathDifference> differences;
  std::size_t compared = 0;  // values
  std::size_t moving = 0;    // values that changed between the two readings
};

// `through`: how people say which path the other one is.
[[nodiscard]] PathComparison compare_paths(const CountersetSample& registry_before,
                                           const CountersetSample& other,
                                           const CountersetSample& registry_after,
                                           std::string through = "via PerfLib");

}  // namespace winperf
