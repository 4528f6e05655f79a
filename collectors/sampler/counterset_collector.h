// Collects one planned counterset: chooses the path and the name, reads it, and keeps its state.
//
// Of several names the first is taken that this machine has. By kAuto a name that a V2 provider has
// registered is read by PerfLib, so that no V2 provider is asked through the registry's translation
// layer, and everything else by the registry. Where PerfLib fails for another reason than a
// provider that is not running, the registry is asked instead, PerfLib again after a minute, and
// the state says why. Thread rule: one thread.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "collectors/catalog/catalog_keeper.h"
#include "collectors/model/sample.h"
#include "collectors/sampling/perflib/perflib_connection.h"
#include "collectors/sampling/perflib/perflib_reader.h"
#include "collectors/sampling/plan.h"
#include "collectors/sampling/registry/registry_reader.h"
#include "collectors/sources/clock_source.h"
#include "collectors/sources/source.h"

namespace winperf {

// The two ways to a machine's counters.
struct Paths {
  CounterSource& registry;
  CatalogKeeper& catalog;
  PerflibConnection* perflib = nullptr;  // null where the machine, or the source, has none
};

class CountersetCollector {
 public:
  // `machine` as CounterSource::machine().
  explicit CountersetCollector(PlannedCounterset planned, std::string machine = {});

  // One attempt. The outcome is in state(); problems of the data are appended to `problems`.
  void collect(const Paths& paths, const ClockSource& clocks, std::vector<Error>& problems,
               std::stop_token stop);

  // Of a plan that has changed. `perflib` as in Paths.
  void change_interval(PerflibConnection* perflib, std::chrono::milliseconds interval);
  // Asks PerfLib for nothing any more.
  void leave(PerflibConnection* perflib);

  void count_skipped_ticks(std::uint64_t ticks) { state_.skipped_ticks += ticks; }
  const CountersetState& state() const { return state_; }

 private:
  using Time = std::chrono::steady_clock::time_point;
  using Collected = std::expected<std::shared_ptr<const CountersetSample>, Error>;

  struct PerflibFailure {
    std::string name;
    Time at;
    std::uint64_t generation = 0;  // of the V2 catalog: with a new one it is worth another try
    Error error;
  };

  Collected collect_first_named(const Paths& paths, Time now, std::vector<Error>& problems,
                                std::stop_token stop);
  Collected collect_named(const Paths& paths, const std::string& name, Time now,
                          std::vector<Error>& problems, std::stop_token stop);
  Collected by_registry(const Paths& paths, const std::string& name, std::vector<Error>& problems,
                        std::stop_token stop);
  Collected by_perflib(const Paths& paths, const std::string& name, std::vector<Error>& problems);
  void find_nearest(const CatalogKeeper& catalog);

  PlannedCounterset planned_;
  RegistryReader registry_;
  PerflibReader perflib_;
  std::optional<PerflibFailure> failed_perflib_;      // the last one
  std::optional<std::uint64_t> compared_generation_;  // of the catalog, for state_.nearest
  CountersetState state_;
};

}  // namespace winperf
