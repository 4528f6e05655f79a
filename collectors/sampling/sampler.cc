#include "collectors/sampling/sampler.h"

#include <algorithm>
#include <condition_variable>
#include <mutex>
#include <utility>

namespace winperf {
namespace {

// A provider whose Open failed is not asked again until the key was closed. Closing it unloads
// every provider, so it is not done with every failure.
constexpr std::chrono::minutes kReleaseDistance{5};

}  // namespace

Sampler::Sampler(const SamplerSources& sources, SampleSlot& slot,
                 std::vector<PlannedCounterset> plan, ClockSource clocks, StateObserver observer)
    : registry_(sources.registry),
      slot_(slot),
      clocks_(std::move(clocks)),
      observer_(std::move(observer)),
      catalog_(sources.registry, sources.names, clocks_.steady_now()),
      released_at_(clocks_.steady_now()) {
  if (sources.perflib != nullptr)
    perflib_.emplace(*sources.perflib, sources.machine, sources.perflib_limits, sources.names,
                     released_at_);
  for (PlannedCounterset& planned : plan) {
    const auto interval = planned.interval;
    entries_.push_back({CountersetCollector(std::move(planned)), interval, released_at_});
  }
  count_problems("", catalog_.catalog().problems());
}

Sampler::Time Sampler::step(std::stop_token stop) {
  const Time round = clocks_.steady_now();
  const auto is_due = [round](const Entry& entry) { return entry.due <= round; };
  if (std::ranges::any_of(entries_, is_due)) {
    catalog_.refresh(round);
    if (perflib_) perflib_->begin_round(round);
    const Paths paths{
        .registry = registry_, .catalog = catalog_, .perflib = perflib_ ? &*perflib_ : nullptr};
    for (Entry& entry : entries_) {
      if (stop.stop_requested()) break;
      if (!is_due(entry)) continue;
      const CountersetState before = entry.collector.state();
      std::vector<Error> problems;
      entry.collector.collect(paths, clocks_, problems, stop);
      count_problems(before.name, problems);
      observe(before, entry.collector.state());
      schedule_next(entry, round);
    }
    publish();
    retry_absent(clocks_.steady_now());
  }
  return std::ranges::min(entries_, {}, &Entry::due).due;
}

void Sampler::run(std::stop_token stop) {
  std::mutex mutex;
  std::condition_variable_any wake;
  while (!stop.stop_requested()) {
    const Time next = step(stop);
    std::unique_lock lock(mutex);
    const auto wait = next - clocks_.steady_now();
    wake.wait_for(lock, stop, wait, [] { return false; });
  }
  registry_.release();
  if (perflib_) perflib_->release();
}

void Sampler::schedule_next(Entry& entry, Time started) {
  entry.due += entry.interval;
  const Time now = std::max(started, clocks_.steady_now());
  if (entry.due > now) return;
  const auto missed = (now - entry.due) / entry.interval + 1;
  entry.due += missed * entry.interval;
  entry.collector.count_skipped_ticks(static_cast<std::uint64_t>(missed));
}

void Sampler::observe(const CountersetState& before, const CountersetState& after) {
  const bool first_success = before.attempts == 0 && after.success;
  const bool same_outcome = before.attempts != 0 && before.success == after.success &&
                            (after.success || before.error->code == after.error->code);
  if (observer_ && !first_success && !same_outcome) observer_(after);
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

void Sampler::retry_absent(Time now) {
  if (now - released_at_ < kReleaseDistance) return;
  const bool any_absent = std::ranges::any_of(entries_, [](const Entry& entry) {
    const CountersetState& state = entry.collector.state();
    return !state.success && state.error && state.error->code == ErrorCode::kNoSuchObject;
  });
  if (!any_absent) return;
  registry_.release();
  released_at_ = now;
}

void Sampler::publish() {
  auto sample = std::make_shared<Sample>();
  sample->sequence = ++sequence_;
  sample->published_at = clocks_.wall_now();
  sample->countersets.reserve(entries_.size());
  for (const Entry& entry : entries_) sample->countersets.push_back(entry.collector.state());
  for (const auto& [key, problem] : problems_) sample->problems.push_back(problem);
  slot_.publish(std::move(sample));
}

}  // namespace winperf
