// Samples the planned countersets, each at its own interval, and publishes the result.
//
// One round: every counterset that is due is read on its own (by PerfLib, those with the same
// interval by one call), so that a slow or broken provider costs time and no other one's value;
// then one immutable Sample with the state of all countersets is published. A tick that comes too
// late is skipped and counted, never caught up. A counterset that fails keeps its last good sample,
// with its age and the reason of the failure. Between two rounds the plan may be changed: what
// stays in it goes on without a gap. Thread rule: one thread owns the sampler; only the slot is
// shared.
#pragma once

#include <chrono>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <stop_token>
#include <vector>

#include "collectors/catalog/catalog_keeper.h"
#include "collectors/model/sample.h"
#include "collectors/model/sample_slot.h"
#include "collectors/sampler/counterset_collector.h"
#include "collectors/sampling/perflib/perflib_connection.h"
#include "collectors/sampling/plan.h"
#include "collectors/sources/clock_source.h"
#include "collectors/sources/source.h"

namespace winperf {

// What is new about a counterset that was just sampled.
enum class StateChange {
  kFails,         // it begins to fail, or fails for another reason
  kWorks,         // again
  kFallsBack,     // it came by the other path because the preferred one failed
  kPathRestored,  // no longer
};
// Nothing where it is as it was, and for a first sample by the preferred path.
std::optional<StateChange> change_between(const CountersetState& before,
                                          const CountersetState& after);

// Called on the sampler's thread.
using StateObserver = std::function<void(const CountersetState&, StateChange)>;

// Where a sampler's counters come from. What is referred to outlives the sampler.
struct SamplerSources {
  CounterSource& registry;
  // Of the other machines of a recording. Every counterset of the plan is asked for on each
  // machine; they follow one another in the sample, in the order of the plan.
  std::vector<CounterSource*> other_machines{};
  PerflibApi* perflib = nullptr;  // null where there is none
  PerflibLimits perflib_limits{};
  std::u16string machine{};             // whose V2 countersets, on the network; empty: this one's
  Language names = Language::kEnglish;  // in which the plan names countersets, besides English
};

class Sampler {
 public:
  using Time = std::chrono::steady_clock::time_point;

  Sampler(const SamplerSources& sources, SampleSlot& slot, std::vector<PlannedCounterset> plan,
          ClockSource clocks, StateObserver observer);

  // Samples whatever is due and publishes if anything was; returns when the next round is due.
  Time step(std::stop_token stop);

  // The next step() samples what is new in the plan and publishes the countersets of this plan
  // alone. What was counted about countersets that are gone stays counted.
  void change_plan(std::vector<PlanStep> steps);
  // The same with other sources, where nothing is gone on with. The old ones are released; they may
  // go afterwards.
  void change_sources(const SamplerSources& sources, std::vector<PlannedCounterset> plan);

  // Lets go of whatever the sources hold open.
  void release();

 private:
  // One machine.
  struct Site {
    Site(CounterSource& source, Language names, Time now)
        : registry(&source), catalog(source, names, now) {}

    CounterSource* registry;
    CatalogKeeper catalog;
    std::optional<PerflibConnection> perflib{};

    PerflibConnection* perflib_or_null() { return perflib ? &*perflib : nullptr; }
  };

  struct Entry {
    Site* site;
    CountersetCollector collector;
    std::chrono::milliseconds interval;
    Time due;
  };

  void open(const SamplerSources& sources);
  void open_site(CounterSource& source, Language names);
  // One entry for each site.
  void add(const PlannedCounterset& planned, Time due);
  void schedule_next(Entry& entry, Time started);
  void observe(const CountersetState& before, const CountersetState& after);
  void count_problems(const std::string& counterset, const std::vector<Error>& problems);
  // Met by PerfLib's catalogs since the last call.
  void count_name_problems();
  void retry_absent(Time now);
  void publish();

  SampleSlot& slot_;
  ClockSource clocks_;
  StateObserver observer_;
  std::deque<Site> sites_;
  std::vector<Entry> entries_;  // by counterset of the plan, and by site for each of them
  std::map<std::pair<std::string, ErrorCode>, ProblemCount> problems_;
  std::uint64_t sequence_ = 0;
  bool plan_changed_ = false;
  Time released_at_;
};

}  // namespace winperf
