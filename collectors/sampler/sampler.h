// Samples the planned countersets, each at its own interval, and publishes the result.
//
// In one round every counterset that is due is read: via PerfLib, all by one call; via the
// registry, all for which nothing was wrong by one query, and the others separately, so that a
// broken provider costs time but no other counterset's values. Then one immutable Sample with the
// state of all countersets is published. A late tick is skipped and counted, never repeated. A
// counterset that joins later is sampled immediately, then at the ticks of the others, so that one
// query still serves all; its first interval is half as long to half as long again. A
// counterset whose last query was lost is suspect: it is read in a separate round, after the others
// that are due were published. A query that times out ends its round early, so that its failure is
// published before the next one; the rest belongs to the next round. A pending answer is checked
// for soon afterwards; its attempt isn't over until then. A counterset that fails keeps its last
// good sample, with its age and the reason of the failure; readers leave out stale values
// (model/sample.h). The plan may be changed between two rounds: countersets that stay in it
// continue without a gap. Thread rule: one thread owns the sampler; only the slot is shared.
#pragma once

#include <chrono>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "collectors/base/clock.h"
#include "collectors/base/stop.h"
#include "collectors/catalog/catalog.h"
#include "collectors/model/sample.h"
#include "collectors/sampler/counterset_collector.h"
#include "collectors/sampling/perflib/perflib_reader.h"
#include "collectors/sampling/plan.h"
#include "collectors/sources/source.h"

namespace winperf {

// The change of a counterset's state with its last attempt.
enum class StateChange {
  kDamaged,         // a part of its sample is corrupt and was left out, or another part than before
  kWhole,           // no part is corrupt any more
  kFails,           // it begins to fail
  kFailsOtherwise,  // it still fails, for another reason
  kWorks,           // it works again
  kFallsBack,       // the preferred path failed, so it was read through the other one
  kPathRestored,    // it is read through the preferred path again
  kStale,           // its sample became stale before a newer one arrived
  kFresh,           // it is no longer stale, though no attempt had failed
};
// Changes of success and path: nothing if there is none, for a first sample through the preferred
// path, and for one that is absent.
[[nodiscard]] std::optional<StateChange> change_between(const CountersetState& before,
                                                        const CountersetState& after);
// Whether its current sample is whole. One that fails keeps its sample, so that this has not
// changed if it has the same damage afterwards.
[[nodiscard]] std::optional<StateChange> damage_between(const CountersetState& before,
                                                        const CountersetState& after);

// Called on the sampler's thread.
using StateObserver = std::function<void(const CountersetState&, StateChange)>;

// The sources of a sampler, which outlive it.
struct SamplerSources {
  CounterSource& registry;
  // The other machines of a recording. Every counterset of the plan is read from each machine; the
  // machines' countersets follow one another in the sample, in the order of the plan.
  std::vector<CounterSource*> other_machines{};
  PerflibSource* perflib = nullptr;     // null if there is none
  Language names = Language::kEnglish;  // language of names in the plan, in addition to English
};

class Sampler {
 public:
  using Time = std::chrono::steady_clock::time_point;

  Sampler(const SamplerSources& sources, SampleSlot& slot, std::vector<PlannedCounterset> plan,
          ClockSource clocks, StateObserver observer);

  // Samples all countersets that are due and publishes if there were any. Returns when the next
  // round is due.
  Time step(StopToken stop);

  // Steps until each counterset was attempted that often, however many rounds that takes.
  Time step_to(std::uint64_t attempts, const StopToken& stop);

  // The next step() samples what is new in the plan and publishes only the countersets of this
  // plan. Problem counts of removed countersets are kept.
  void change_plan(std::vector<PlanStep> steps);
  // Also replaces the sources; no state is carried over. The old sources are released and may be
  // destroyed afterwards.
  void change_sources(const SamplerSources& sources, std::vector<PlannedCounterset> plan);

  // Events of the processes that make the queries, since the last call.
  [[nodiscard]] std::vector<WorkerEvent> take_worker_events();
  // Changes in how the providers of a source share processes, since the last call.
  [[nodiscard]] std::vector<SharingNews> take_sharing_news();

  // Closes everything that the sources hold open.
  void release();

 private:
  // One machine.
  struct Site {
    Site(CounterSource& source, Language names, Time now)
        : registry(&source), catalog(source, names, now) {}

    CounterSource* registry;
    CatalogKeeper catalog;
    PerflibSource* v2 = nullptr;
    std::unique_ptr<PerflibConnection> perflib{};
    SharedReply shared{};
  };

  struct Entry {
    Site* site;
    CountersetCollector collector;
    std::chrono::milliseconds interval;
    Time due;
    // The last state that the observer was notified of, if it isn't the current one.
    std::optional<CountersetState> observed{};
    // When to check for the pending answer.
    std::optional<Time> recheck_at{};
    bool is_stale = false;  // and the observer was notified

    Time next() const { return recheck_at.value_or(due); }
  };

  void open(const SamplerSources& sources, const std::vector<PlannedCounterset>& plan);
  // One entry for each site.
  void add(const PlannedCounterset& planned, Time due);
  // Prepares what all countersets of a round share.
  void prepare(Time round, const StopToken& stop);
  // Collects those that are trusted or, if none is due, one suspect.
  void collect_due(Time round, const StopToken& stop);
  void collect(Entry& entry, const StopToken& stop);
  // Of a query for all objects that are due together: the system's name for everything if these are
  // all that discovery has found, otherwise empty.
  std::string_view shared_name(const Site& site, std::span<Entry* const> due) const;
  // False if that timed out.
  [[nodiscard]] bool fetch_shared(Site& site, std::span<Entry* const> due, const StopToken& stop);
  void schedule_next(Entry& entry);
  // The tick of this interval that is nearest to a time, and later than `now`.
  Time nearest_tick(Time time, std::chrono::milliseconds interval, Time now) const;
  // Whether the counterset was found by discovery, which also reports its disappearance.
  static bool is_left_to_discovery(const Entry& entry);
  void observe(const CountersetState& before, const CountersetState& after);
  void observe_stale();
  void observe_fresh(Entry& entry, const CountersetState& before);
  void tell_stale(Entry& entry, const CountersetState& state);
  void count_problems(const std::string& counterset, const std::vector<Error>& problems);
  // Counts problems of PerfLib's catalogs since the last call.
  void count_name_problems();
  void retry_absent(Time now);
  // If an attempt has ended since the last time.
  void publish_news();
  std::vector<WorkerView*> workers();

  SampleSlot& slot_;
  ClockSource clocks_;
  StateObserver observer_;
  std::deque<Site> sites_;
  std::vector<Entry> entries_;  // by counterset of the plan, then by site
  std::map<std::pair<std::string, ErrorCode>, ProblemCount> problems_;
  std::uint64_t sequence_ = 0;
  bool plan_changed_ = false;
  bool has_news_ = false;
  Time first_tick_;  // all ticks are whole intervals later
  Time released_at_;
};

}  // namespace winperf
