// Reads countersets through the registry and through another path, back to back, and reports their
// differences, which compare_paths() finds.
//
// A difference counts only if it occurs in each of several rounds, a second apart, because values
// may simply change between two readings. The readings of one round follow each other without a
// pause, faster than counters are meant to be collected, because values that change could not be
// compared otherwise. Thread rule: one thread.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "collectors/base/clock.h"
#include "collectors/base/stop.h"
#include "collectors/catalog/catalog.h"
#include "collectors/model/sample.h"
#include "collectors/sampling/perflib/perflib_reader.h"
#include "collectors/sampling/plan.h"
#include "collectors/sources/source.h"

namespace winperf {

// Compares one counterset through the registry and another path: PerfLib or provider hosts.
// PathVerifier takes the samples and repeats the comparison.
//
// Three samples are compared, taken back to back: through the registry, through the other path, and
// through the registry again. A counter that grows must lie between its two readings through the
// registry. A gauge must be the same in all three. If it differs between the two readings through
// the registry, it is only counted as moving. Instances may appear and disappear in between: one
// counts as missing if only one side has it throughout. Types, scales and the set of counters must
// be equal.
struct PathDifference {
  std::string instance;  // display name; empty if there are none, or it concerns all
  std::string counter;   // empty if it concerns the whole instance or counterset
  std::string what;      // "raw value", "type", "counter only via PerfLib", ...
  std::string registry;  // as text; empty if this path has none
  std::string other;
  std::string type{};  // the counter's, by its documented name; empty if the path doesn't say
  bool operator==(const PathDifference&) const = default;
};

struct PathComparison {
  std::vector<PathDifference> differences;
  std::size_t compared = 0;  // values
  std::size_t moving = 0;    // values that changed between the two readings
};

// `through`: the other path, for messages. `is_partial`: it has only some of the counters,
// instances and values, and of a counter nothing but raw values, so that what it lacks is no
// difference.
[[nodiscard]] PathComparison compare_paths(const CountersetSample& registry_before,
                                           const CountersetSample& other,
                                           const CountersetSample& registry_after,
                                           std::string through = "via PerfLib",
                                           bool is_partial = false);

struct VerifiedCounterset {
  std::string name;
  // Why a path has no sample. If neither has one, they agree.
  std::optional<Error> registry_error;
  std::optional<Error> other_error;
  PathComparison comparison;
  std::vector<Error> problems;
  std::string not_compared{};  // why the other path can't have it; empty otherwise

  bool delivered() const { return !registry_error && !other_error && not_compared.empty(); }
  bool agrees() const {
    return registry_error.has_value() == other_error.has_value() && comparison.differences.empty();
  }
};

// The path that the registry is compared with. service/commands/page_path.h has another one.
struct OtherPath {
  std::string through;  // for people: "via PerfLib"
  // Reads a counterset, by its name, once.
  std::function<ReadResult(const std::string& name, const StopToken& stop)> read;
  bool is_partial = false;  // as compare_paths() has it
};
// Both must outlive the path.
OtherPath via_perflib(PerflibConnection& perflib, const ClockSource& clocks);
OtherPath via_hosts(CounterSource& hosts, CatalogKeeper& catalog);

class PathVerifier {
 public:
  PathVerifier(CounterSource& registry, CatalogKeeper& catalog, OtherPath other, ClockSource clocks,
               std::size_t rounds)
      : registry_(registry),
        catalog_(catalog),
        other_(std::move(other)),
        clocks_(std::move(clocks)),
        rounds_(rounds) {}

  // `name` is a counterset's English name, since the registry knows no GUIDs.
  [[nodiscard]] VerifiedCounterset verify(const std::string& name, StopToken stop);

 private:
  VerifiedCounterset compare_once(const std::string& name, StopToken stop);

  CounterSource& registry_;
  CatalogKeeper& catalog_;
  OtherPath other_;
  ClockSource clocks_;
  std::size_t rounds_;
};

}  // namespace winperf
