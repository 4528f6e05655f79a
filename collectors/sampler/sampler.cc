#include "collectors/sampler/sampler.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "collectors/model/sample.h"
#include "collectors/sources/value_names.h"

namespace winperf {
namespace {

// A provider whose Open function failed isn't called again until the key is closed. That unloads
// every provider, so it isn't done after every failure.
constexpr std::chrono::minutes kReleaseInterval{5};
// The time that a suspect waits for a round without others.
constexpr std::chrono::seconds kSuspectDelay{10};
// A query that fails after this time ends the round.
constexpr std::chrono::milliseconds kLong{100};
constexpr std::chrono::minutes kIdle{1};
// Interval of checks for a pending answer.
constexpr std::chrono::milliseconds kRecheckInterval{100};

bool has_timed_out(const CountersetState& state) {
  const auto timed_out = [](const std::optional<Error>& error) {
    return error && error->code == ErrorCode::kTimedOut;
  };
  return timed_out(state.error) || timed_out(state.preferred_path_error);
}

}  // namespace

std::optional<StateChange> change_between(const CountersetState& before,
                                          const CountersetState& after) {
  const bool failed_before = before.attempts != 0 && !before.success && !before.is_absent;
  if (after.is_absent) return std::nullopt;
  if (!after.success) {
    if (!failed_before) return StateChange::kFails;
    const bool as_before = before.error->code == after.error->code;
    return as_before ? std::nullopt : std::optional(StateChange::kFailsOtherwise);
  }
  const bool falls_back = after.preferred_path_error.has_value();
  const bool fell_back = before.preferred_path_error.has_value();
  if (falls_back && !fell_back) return StateChange::kFallsBack;
  if (failed_before) return StateChange::kWorks;
  if (fell_back && !falls_back) return StateChange::kPathRestored;
  return std::nullopt;
}

std::optional<StateChange> damage_between(const CountersetState& before,
                                          const CountersetState& after) {
  const auto code_of = [](const CountersetState& state) {
    const bool is_damaged = state.sample != nullptr && state.sample->damage;
    return is_damaged ? std::optional(state.sample->damage->code) : std::nullopt;
  };
  if (code_of(before) == code_of(after)) return std::nullopt;
  return code_of(after) ? StateChange::kDamaged : StateChange::kWhole;
}

Sampler::Sampler(const SamplerSources& sources, SampleSlot& slot,
                 std::vector<PlannedCounterset> plan, ClockSource clocks, StateObserver observer)
    : slot_(slot), clocks_(std::move(clocks)), observer_(std::move(observer)) {
  open(sources, plan);
}

void Sampler::open(const SamplerSources& sources, const std::vector<PlannedCounterset>& plan) {
  released_at_ = first_tick_ = clocks_.steady_now();
  sites_.clear();
  const auto add_site = [&](CounterSource& source) {
    sites_.emplace_back(source, sources.names, released_at_);
    count_problems("", sites_.back().catalog.catalog().problems());
  };
  add_site(sources.registry);
  if (sources.perflib != nullptr) {
    sites_.front().v2 = sources.perflib;
    sites_.front().perflib =
        std::make_unique<PerflibConnection>(*sources.perflib, sources.names, released_at_);
  }
  for (CounterSource* const other : sources.other_machines) add_site(*other);
  count_name_problems();
  for (const PlannedCounterset& planned : plan) add(planned, released_at_);
}

void Sampler::add(const PlannedCounterset& planned, Time due) {
  for (Site& site : sites_)
    entries_.push_back({.site = &site,
                        .collector = CountersetCollector(planned, site.registry->machine()),
                        .interval = planned.interval,
                        .due = due});
}

Sampler::Time Sampler::step(StopToken stop) {
  const Time round = clocks_.steady_now();
  const auto is_due = [round](const Entry& entry) { return entry.next() <= round; };
  if (plan_changed_ || sequence_ == 0 || std::ranges::any_of(entries_, is_due)) {
    has_news_ |= std::exchange(plan_changed_, false);
    prepare(round, stop);
    collect_due(round, stop);
    for (Site& site : sites_) site.shared.give_back(*site.registry);
    publish_news();
    observe_stale();
    retry_absent(clocks_.steady_now());
  }
  // Until the plan changes there may be nothing to sample.
  if (entries_.empty()) return clocks_.steady_now() + kIdle;
  return std::ranges::min_element(entries_, {}, &Entry::next)->next();
}

Sampler::Time Sampler::step_to(std::uint64_t attempts, const StopToken& stop) {
  for (;;) {
    const Time next = step(stop);
    const bool done = std::ranges::all_of(entries_, [attempts](const Entry& entry) {
      return entry.collector.state().attempts >= attempts;
    });
    if (done || stop.stop_requested()) return next;
    clocks_.pause_until(next, stop);
  }
}

void Sampler::prepare(Time round, const StopToken& stop) {
  std::vector<std::chrono::milliseconds> due;
  for (const Entry& entry : entries_)
    if (entry.due <= round && !entry.recheck_at && !entry.collector.is_suspect())
      due.push_back(entry.interval);
  for (Site& site : sites_) {
    site.registry->set_stop(stop);
    if (site.v2 != nullptr) site.v2->set_stop(stop);
    site.catalog.refresh(round);
    if (site.perflib) site.perflib->begin_round(round, due);
  }
  count_name_problems();
}

void Sampler::collect_due(Time round, const StopToken& stop) {
  std::vector<Entry*> trusted;
  std::vector<Entry*> suspects;
  for (Entry& entry : entries_)
    if (entry.next() <= round)
      (entry.collector.is_suspect() ? suspects : trusted).push_back(&entry);
  for (Site& site : sites_)
    if (!fetch_shared(site, trusted, stop)) return;
  for (Entry* const entry : trusted) {
    if (stop.stop_requested()) return;
    const Time before = clocks_.steady_now();
    collect(*entry, stop);
    if (has_timed_out(entry->collector.state()) && clocks_.steady_now() - before >= kLong) return;
  }
  if (suspects.empty() || stop.stop_requested()) return;
  // The one that has waited longest, so that all get their turn even if others are always due.
  Entry& suspect = **std::ranges::min_element(suspects, {}, &Entry::next);
  if (!trusted.empty() && round - suspect.next() < kSuspectDelay) return;
  publish_news();
  collect(suspect, stop);
}

void Sampler::collect(Entry& entry, const StopToken& stop) {
  const Paths paths{.registry = *entry.site->registry,
                    .catalog = entry.site->catalog,
                    .perflib = entry.site->perflib.get(),
                    .shared = &entry.site->shared};
  const CountersetState before = entry.observed.value_or(entry.collector.state());
  count_problems(before.name, entry.collector.collect(paths, clocks_, stop));
  if (entry.collector.is_waiting()) {
    entry.recheck_at = clocks_.steady_now() + kRecheckInterval;
    return;
  }
  has_news_ = true;
  if (entry.collector.state().sample != before.sample) entry.collector.note_due(entry.due);
  entry.observed.reset();
  if (!is_left_to_discovery(entry)) observe(before, entry.collector.state());
  observe_fresh(entry, before);
  schedule_next(entry);
}

std::string_view Sampler::shared_name(const Site& site, std::span<Entry* const> due) const {
  const auto is_found = [&](const Entry& entry) {
    return entry.site == &site && entry.collector.planned().is_of_everything &&
           !entry.collector.expected_objects(site.catalog).empty();
  };
  const auto found = std::ranges::count_if(entries_, is_found);
  const auto found_due =
      std::ranges::count_if(due, [&](const Entry* entry) { return is_found(*entry); });
  if (found < 2 || found != found_due) return {};
  // V2 countersets are among them only if they are to be read through the registry.
  const bool has_v2 = std::ranges::any_of(entries_, [&](const Entry& entry) {
    return is_found(entry) && entry.collector.planned().path == CounterPath::kRegistry;
  });
  return listing_value_name({.v1_only = site.perflib != nullptr && !has_v2});
}

bool Sampler::fetch_shared(Site& site, std::span<Entry* const> due, const StopToken& stop) {
  if (!site.registry->is_live()) return true;
  std::vector<ObjectIndex> objects;
  for (const Entry* const entry : due) {
    if (entry->site != &site) continue;
    for (const ObjectIndex object : entry->collector.expected_objects(site.catalog))
      if (std::ranges::find(objects, object) == objects.end()) objects.push_back(object);
  }
  const Time before = clocks_.steady_now();
  const auto wrong =
      site.shared.fetch(*site.registry, objects, shared_name(site, due), clocks_, stop);
  if (!wrong) return true;
  count_problems("", {*wrong});
  const Time after = clocks_.steady_now();
  if (wrong->code != ErrorCode::kTimedOut || after - before < kLong) return true;
  // All have lost the query. The culprit is found by separate queries, which follow immediately.
  for (Entry* const entry : due) {
    if (entry->site != &site || entry->collector.expected_objects(site.catalog).empty()) continue;
    entry->observed = entry->collector.state();
    entry->collector.fail(*wrong, after - before);
    has_news_ = true;
  }
  return false;
}

void Sampler::change_plan(std::vector<PlanStep> steps) {
  const Time now = clocks_.steady_now();
  std::vector<Entry> before = std::exchange(entries_, {});
  std::vector<bool> continued(before.size());
  for (const PlanStep& step : steps) {
    if (!step.continues) {
      add(step.planned, now);
      continue;
    }
    const std::size_t first = *step.continues * sites_.size();
    for (std::size_t i = first; i < first + sites_.size(); ++i) {
      Entry entry = std::move(before.at(i));
      continued.at(i) = true;
      entry.collector.change_plan(entry.site->perflib.get(), step.planned);
      if (const auto interval = step.planned.interval; interval != entry.interval) {
        entry.interval = interval;
        entry.due = std::min(entry.due, now + interval);
        // A sample that was new for a longer interval may be too old for this one.
        const CountersetState& state = entry.collector.state();
        if (entry.due - state.sampled_at.steady > step.planned.stale_after) entry.due = now;
      }
      entries_.push_back(std::move(entry));
    }
  }
  for (std::size_t i = 0; i < before.size(); ++i)
    if (!continued[i]) before[i].collector.leave(before[i].site->perflib.get());
  plan_changed_ = true;
}

void Sampler::change_sources(const SamplerSources& sources, std::vector<PlannedCounterset> plan) {
  release();
  entries_.clear();
  open(sources, plan);
  plan_changed_ = true;
}

void Sampler::release() {
  for (Site& site : sites_) {
    site.registry->release();
    if (site.perflib) site.perflib->release();
  }
}

void Sampler::schedule_next(Entry& entry) {
  entry.recheck_at.reset();
  entry.due += entry.interval;
  const Time now = clocks_.steady_now();
  if (entry.due <= now) {
    const auto missed = (now - entry.due) / entry.interval + 1;
    entry.due += missed * entry.interval;
    entry.collector.count_skipped_ticks(static_cast<std::uint64_t>(missed));
  }
  entry.due = nearest_tick(entry.due, entry.interval, now);
}

Sampler::Time Sampler::nearest_tick(Time time, std::chrono::milliseconds interval, Time now) const {
  const auto ticks = (time - first_tick_ + interval / 2) / interval;
  const Time tick = first_tick_ + ticks * interval;
  return tick > now ? tick : tick + interval;
}

bool Sampler::is_left_to_discovery(const Entry& entry) {
  const PlannedCounterset& planned = entry.collector.planned();
  const auto& error = entry.collector.state().error;
  return (planned.object || planned.is_of_everything) && error &&
         kind_of(error->code) == ErrorKind::kAbsent;
}

void Sampler::observe(const CountersetState& before, const CountersetState& after) {
  // An attempt that a stop interrupted isn't reported.
  if (after.error && after.error->code == ErrorCode::kCancelled) return;
  if (!observer_) return;
  for (const auto& change : {change_between(before, after), damage_between(before, after)})
    if (change) observer_(after, *change);
}

// Once for each sample that becomes stale.
void Sampler::observe_stale() {
  const Time now = clocks_.steady_now();
  for (Entry& entry : entries_)
    if (is_stale(entry.collector.state(), now)) tell_stale(entry, entry.collector.state());
}

void Sampler::tell_stale(Entry& entry, const CountersetState& state) {
  if (std::exchange(entry.is_stale, true) || is_left_to_discovery(entry)) return;
  if (observer_) observer_(state, StateChange::kStale);
}

// A sample may have become stale while this thread was blocked.
void Sampler::observe_fresh(Entry& entry, const CountersetState& before) {
  const CountersetState& after = entry.collector.state();
  if (after.sample == before.sample) return;
  if (is_stale(before, after.sampled_at.steady)) tell_stale(entry, before);
  const bool was_stale = std::exchange(entry.is_stale, false);
  if (was_stale && before.success && observer_) observer_(after, StateChange::kFresh);
}

void Sampler::count_problems(const std::string& counterset, const std::vector<Error>& problems) {
  for (const Error& problem : problems) {
    ProblemCount& entry = problems_[{counterset, problem.code}];
    entry.counterset = counterset;
    entry.code = problem.code;
    entry.last = problem;
    ++entry.count;
  }
}

void Sampler::count_name_problems() {
  for (Site& site : sites_)
    if (site.perflib) count_problems("", site.perflib->take_problems());
}

void Sampler::retry_absent(Time now) {
  if (now - released_at_ < kReleaseInterval) return;
  const bool any_absent = std::ranges::any_of(entries_, [](const Entry& entry) {
    const CountersetState& state = entry.collector.state();
    return state.error && state.error->code == ErrorCode::kNoSuchObject;
  });
  if (!any_absent) return;
  for (Site& site : sites_) site.registry->release();
  released_at_ = now;
}

std::vector<WorkerEvent> Sampler::take_worker_events() {
  std::vector<WorkerEvent> events;
  for (WorkerView* const worker : workers())
    std::ranges::move(worker->take_events(), std::back_inserter(events));
  return events;
}

std::vector<SharingNews> Sampler::take_sharing_news() {
  std::vector<SharingNews> news;
  for (Site& site : sites_)
    if (SourceHealth* const health = site.registry->health())
      std::ranges::move(health->take_sharing_news(), std::back_inserter(news));
  return news;
}

std::vector<WorkerView*> Sampler::workers() {
  std::vector<WorkerView*> all;
  for (Site& site : sites_) {
    if (SourceHealth* const health = site.registry->health())
      std::ranges::copy(health->workers(), std::back_inserter(all));
    WorkerView* const worker = site.v2 != nullptr ? site.v2->worker() : nullptr;
    if (worker != nullptr) all.push_back(worker);
  }
  return all;
}

void Sampler::publish_news() {
  if (!std::exchange(has_news_, false) && sequence_ != 0) return;
  auto sample = std::make_shared<Sample>();
  sample->sequence = ++sequence_;
  sample->published_at = clocks_.wall_now();
  sample->countersets.reserve(entries_.size());
  for (const Entry& entry : entries_) sample->countersets.push_back(entry.collector.state());
  for (const auto& [key, problem] : problems_) sample->problems.push_back(problem);
  for (const WorkerView* const worker : workers()) sample->workers.push_back(worker->state());
  for (Site& site : sites_)
    if (SourceHealth* const health = site.registry->health())
      std::ranges::move(health->provider_states(), std::back_inserter(sample->providers));
  sample->registrations = sites_.front().catalog.provider_generation();
  slot_.publish(std::move(sample));
}

}  // namespace winperf
