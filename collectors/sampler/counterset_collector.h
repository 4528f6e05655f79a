// Collects one planned counterset: chooses the name and the path, reads the counterset through it,
// and keeps its state. Sampler runs many of these; RegistryReader and PerflibReader do the reading.
//
// It uses the first of several names that exists. With kAuto, PerfLib is the path for names that a
// V2 provider has registered, so that no V2 provider is read through the registry's translation
// layer; the registry is the path for everything else. If PerfLib fails for any reason except a
// provider that isn't running, it reads the registry instead, tries PerfLib again after a minute,
// and the state has the reason. Thread rule: one thread.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "collectors/base/clock.h"
#include "collectors/base/stop.h"
#include "collectors/catalog/catalog.h"
#include "collectors/model/sample.h"
#include "collectors/sampling/perflib/perflib_reader.h"
#include "collectors/sampling/plan.h"
#include "collectors/sampling/registry/registry_reader.h"
#include "collectors/sources/source.h"

namespace winperf {

// The paths to a machine's counters.
struct Paths {
  CounterSource& registry;
  CatalogKeeper& catalog;
  PerflibConnection* perflib = nullptr;  // null if the machine, or the source, has no PerfLib
  const SharedReply* shared = nullptr;   // of the registry in this round; null if there is none
};

class CountersetCollector {
 public:
  using Time = std::chrono::steady_clock::time_point;

  // `machine`: CounterSource::machine().
  explicit CountersetCollector(PlannedCounterset planned, std::string machine = {});

  // Makes one attempt, or continues one whose answer is pending. Its outcome is in state(). Returns
  // all problems of this attempt, the reason of a failure included.
  [[nodiscard]] std::vector<Error> collect(const Paths& paths, const ClockSource& clocks,
                                           StopToken stop);

  // Whether the answer to the last attempt is pending, so that state() is unchanged.
  bool is_waiting() const { return began_.has_value(); }

  // The attempt has failed already, with a query that this counterset shared with others.
  void fail(const Error& error, std::chrono::duration<double> took);

  // The objects that collect() is likely to query through the registry; none after any problem in
  // the last attempt, so that it shares no query with others.
  std::span<const ObjectIndex> expected_objects(const CatalogKeeper& catalog) const;

  // After a change of the plan, in which only the times and the absence differ. `perflib`:
  // Paths::perflib.
  void change_plan(PerflibConnection* perflib, const PlannedCounterset& next);
  // Withdraws its PerfLib requests.
  void leave(PerflibConnection* perflib);

  const PlannedCounterset& planned() const { return planned_; }

  void count_skipped_ticks(std::uint64_t ticks) { state_.skipped_ticks += ticks; }
  // The current sample is new, and was due at that time.
  void note_due(Time due);
  const CountersetState& state() const { return state_; }
  // Whether the last attempt was lost, so that the next one may be, too.
  bool is_suspect() const { return state_.error && is_lost(state_.error->code); }

 private:
  struct PerflibFailure {
    std::string name;
    Time at;
    std::uint64_t generation = 0;  // of the V2 catalog: a new one is worth another attempt
    Error error;
  };

  [[nodiscard]] ReadResult collect_first_named(const Paths& paths, Time now, StopToken stop);
  [[nodiscard]] ReadResult collect_named(const Paths& paths, const std::string& name, Time now,
                                         StopToken stop);
  [[nodiscard]] ReadResult via_perflib_alone(const Paths& paths, const std::string& name);
  // Falls back to the registry.
  [[nodiscard]] ReadResult via_perflib_first(const Paths& paths, const std::string& name, Time now,
                                             StopToken stop);
  [[nodiscard]] ReadResult via_registry(const Paths& paths, const std::string& name,
                                        StopToken stop);
  void find_nearest(const CatalogKeeper& catalog);

  PlannedCounterset planned_;
  RegistryReader registry_;
  bool used_registry_ = false;  // in the last attempt
  bool was_well_ = false;       // the last attempt, without any corrupt part
  std::optional<Time> began_;   // the pending attempt
  PerflibReader perflib_;
  std::optional<PerflibFailure> failed_perflib_;      // the last one
  std::optional<std::uint64_t> compared_generation_;  // of the catalog, for state_.nearest
  CountersetState state_;
};

}  // namespace winperf
