// Reads countersets through the registry and through another path, back to back, and reports where
// the two differ. path_comparison.h does the comparing.
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
#include "collectors/catalog/catalog_keeper.h"
#include "collectors/sampler/path_comparison.h"
#include "collectors/sampling/perflib/perflib_connection.h"
#include "collectors/sampling/reading.h"
#include "collectors/sources/source.h"

namespace winperf {

struct VerifiedCounterset {
  std::string name;
  // Why a path has no sample. If both have none, for whatever reasons, they agree.
  std::optional<Error> registry_error;
  std::optional<Error> other_error;
  PathComparison comparison;
  std::vector<Error> problems;

  bool delivered() const { return !registry_error && !other_error; }
  bool agrees() const {
    return registry_error.has_value() == other_error.has_value() && comparison.differences.empty();
  }
};

// What the registry is compared with.
struct OtherPath {
  std::string through;  // for people: "via PerfLib"
  // Reads a counterset, by its name, once.
  std::function<ReadResult(const std::string& name, const StopToken& stop)> read;
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
