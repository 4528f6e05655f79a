// Reads countersets through the registry and via PerfLib, back to back, and reports where the two
// differ. path_comparison.h does the comparing.
//
// A difference counts only if it occurs in each of several rounds, a second apart, because values
// may simply change between two readings. The readings of one round follow each other without a
// pause, faster than counters are meant to be collected, because values that change could not be
// compared otherwise. Thread rule: one thread.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "collectors/base/stop.h"
#include "collectors/catalog/catalog_keeper.h"
#include "collectors/sampler/path_comparison.h"
#include "collectors/sampling/perflib/perflib_connection.h"
#include "collectors/sources/clock_source.h"
#include "collectors/sources/source.h"

namespace winperf {

struct VerifiedCounterset {
  std::string name;
  // Why a path has no sample. If both have none, for whatever reasons, they agree.
  std::optional<Error> registry_error;
  std::optional<Error> perflib_error;
  PathComparison comparison;
  std::vector<Error> problems;

  bool delivered() const { return !registry_error && !perflib_error; }
  bool agrees() const {
    return registry_error.has_value() == perflib_error.has_value() &&
           comparison.differences.empty();
  }
};

class PathVerifier {
 public:
  PathVerifier(CounterSource& registry, CatalogKeeper& catalog, PerflibConnection& perflib,
               ClockSource clocks, std::size_t rounds)
      : registry_(registry),
        catalog_(catalog),
        perflib_(perflib),
        clocks_(std::move(clocks)),
        rounds_(rounds) {}

  // `name` is a counterset's English name, since the registry knows no GUIDs.
  [[nodiscard]] VerifiedCounterset verify(const std::string& name, StopToken stop);

 private:
  VerifiedCounterset compare_once(const std::string& name, StopToken stop);

  CounterSource& registry_;
  CatalogKeeper& catalog_;
  PerflibConnection& perflib_;
  ClockSource clocks_;
  std::size_t rounds_;
};

}  // namespace winperf
