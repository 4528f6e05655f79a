#include "collectors/sampler/counterset_collector.h"

#include <algorithm>
#include <utility>

namespace winperf {
namespace {

constexpr std::chrono::minutes kPerflibRetryInterval{1};

// Whether the name doesn't exist, so that another name may be tried.
bool is_absent(const ReadResult& result) {
  return !result && kind_of(result.error().error.code) == ErrorKind::kAbsent;
}

bool is_pending(const ReadResult& result) {
  return !result && result.error().error.code == ErrorCode::kPending;
}

// Whether the counterset doesn't exist, and that isn't a failure.
bool is_no_failure(const Error& error, Absence absence) {
  if (absence == Absence::kFailureIfKnown)
    return error.code == ErrorCode::kNoSuchName || error.code == ErrorCode::kNotRegistered;
  return absence == Absence::kNoFailure && kind_of(error.code) == ErrorKind::kAbsent;
}

// Whether there is the counter by which instances are chosen, if one was named.
bool has_ranking_counter(const CountersetSchema& schema, const Selection& selection) {
  if (!schema.multi_instance || !selection.limit || selection.limit->by.empty()) return true;
  return std::ranges::any_of(schema.counters, [&](const CounterSchema& counter) {
    return is_called(counter, selection.limit->by);
  });
}

}  // namespace

CountersetCollector::CountersetCollector(PlannedCounterset planned, std::string machine)
    : planned_(std::move(planned)), registry_(planned_), perflib_(planned_) {
  state_.name = planned_.label;
  state_.machine = std::move(machine);
  state_.stale_after = planned_.stale_after;
}

std::vector<Error> CountersetCollector::collect(const Paths& paths, const ClockSource& clocks,
                                                StopToken stop) {
  const auto now = clocks.steady_now();
  if (paths.registry.is_live()) state_.interval = planned_.interval;
  const auto fell_back = std::exchange(state_.preferred_path_error, std::nullopt);
  used_registry_ = false;
  auto result = collect_first_named(paths, now, stop);
  if (is_pending(result)) {
    state_.preferred_path_error = fell_back;
    if (!began_) began_ = now;
    return std::move(problems_of(result));
  }
  const auto started = std::exchange(began_, std::nullopt).value_or(now);
  std::chrono::duration<double> took = clocks.steady_now() - started;
  if (result) took += result->shared_query;

  ++state_.attempts;
  state_.stale_after = planned_.stale_after;
  state_.duration_seconds = took.count();
  state_.success = result.has_value();
  std::vector<Error> problems = std::move(problems_of(result));
  was_well_ = result && std::ranges::none_of(problems, [](const Error& problem) {
                return kind_of(problem.code) == ErrorKind::kCorrupt;
              });
  if (result) {
    if (!has_ranking_counter(*result->sample->schema, planned_.selection))
      problems.push_back({.code = ErrorCode::kNoSuchName, .where = "instances.by"});
    state_.sample = std::move(result->sample);
    state_.bytes = result->bytes;
    state_.sampled_at = result->taken_at.value_or(clocks.now());
    state_.error.reset();
    state_.is_absent = false;
    state_.nearest.clear();
    return problems;
  }
  state_.error = result.error().error;
  find_nearest(paths.catalog);
  // A counterset that existed before is a failure, and a name similar to another one is misspelt.
  state_.is_absent = state_.sample == nullptr && state_.nearest.empty() &&
                     is_no_failure(*state_.error, planned_.absence);
  if (state_.is_absent) return problems;
  ++state_.failures;
  problems.push_back(*state_.error);
  return problems;
}

void CountersetCollector::note_due(Time due) {
  const std::chrono::duration<double> late = state_.sampled_at.steady - due;
  const bool is_live = state_.interval.count() != 0;
  state_.late_seconds = is_live && late.count() >= 0 ? std::optional(late.count()) : std::nullopt;
}

void CountersetCollector::fail(const Error& error, std::chrono::duration<double> took) {
  ++state_.attempts;
  ++state_.failures;
  state_.success = false;
  state_.is_absent = false;
  state_.duration_seconds = took.count();
  state_.preferred_path_error.reset();
  state_.error = error;
  was_well_ = false;
  began_.reset();
}

std::span<const ObjectIndex> CountersetCollector::expected_objects(
    const CatalogKeeper& catalog) const {
  if (state_.attempts != 0 && (!used_registry_ || !was_well_)) return {};
  return registry_.shareable(catalog);
}

// Comparing a name with all known ones takes time, so it is done once per catalog.
void CountersetCollector::find_nearest(const CatalogKeeper& catalog) {
  const bool is_unknown = catalog.objects_named(planned_.names.front()).empty() &&
                          kind_of(state_.error->code) == ErrorKind::kAbsent &&
                          state_.error->code != ErrorCode::kEndOfCapture;
  if (!is_unknown) {
    state_.nearest.clear();
    compared_generation_.reset();
  } else if (compared_generation_ != catalog.generation()) {
    state_.nearest = catalog.catalog().nearest_name(planned_.names.front());
    compared_generation_ = catalog.generation();
  }
}

void CountersetCollector::change_plan(PerflibConnection* perflib, const PlannedCounterset& next) {
  // A shorter one applies from the next attempt on, so that the present sample doesn't become stale
  // before.
  state_.stale_after = std::max(state_.stale_after, next.stale_after);
  planned_.stale_after = next.stale_after;
  planned_.absence = next.absence;
  if (planned_.interval == next.interval) return;
  planned_.interval = next.interval;
  if (perflib != nullptr) perflib_.move_to(*perflib, next.interval);
}

void CountersetCollector::leave(PerflibConnection* perflib) {
  if (perflib != nullptr) perflib_.stop(*perflib);
}

ReadResult CountersetCollector::collect_first_named(const Paths& paths, Time now, StopToken stop) {
  Error absent{.code = ErrorCode::kNoSuchName, .where = "counterset"};
  std::vector<Error> problems;
  for (const std::string& name : planned_.names) {
    auto result = with_earlier(std::move(problems), collect_named(paths, name, now, stop));
    if (result || !is_absent(result)) return result;
    // The error of a known name takes precedence over that of an unknown one.
    const Error& why = result.error().error;
    if (why.code != ErrorCode::kNoSuchName) absent = why;
    problems = std::move(result.error().problems);
  }
  return std::unexpected(ReadFailure{.error = absent, .problems = std::move(problems)});
}

ReadResult CountersetCollector::collect_named(const Paths& paths, const std::string& name, Time now,
                                              StopToken stop) {
  if (planned_.path == CounterPath::kPerflib) return via_perflib_alone(paths, name);
  if (planned_.path == CounterPath::kAuto && paths.perflib != nullptr)
    return via_perflib_first(paths, name, now, stop);
  return via_registry(paths, name, stop);
}

ReadResult CountersetCollector::via_registry(const Paths& paths, const std::string& name,
                                             StopToken stop) {
  used_registry_ = true;
  return registry_.read(paths.registry, paths.catalog, name, std::move(stop), paths.shared);
}

ReadResult CountersetCollector::via_perflib_alone(const Paths& paths, const std::string& name) {
  if (paths.perflib == nullptr)
    return std::unexpected(
        ReadFailure{.error = {.code = ErrorCode::kUnsupported, .where = "perflib"}});
  auto result = perflib_.read(*paths.perflib, name);
  if (is_absent(result)) paths.perflib->report_unknown();
  return result;
}

ReadResult CountersetCollector::via_perflib_first(const Paths& paths, const std::string& name,
                                                  Time now, StopToken stop) {
  const std::uint64_t generation = paths.perflib->catalog().generation();
  const bool resting = failed_perflib_ && failed_perflib_->name == name &&
                       failed_perflib_->generation == generation &&
                       now - failed_perflib_->at < kPerflibRetryInterval;
  std::vector<Error> problems;
  if (!resting) {
    auto result = perflib_.read(*paths.perflib, name);
    if (result || result.error().error.code == ErrorCode::kNotRunning) return result;
    problems = std::move(result.error().problems);
    const Error& why = result.error().error;
    // Starting takes only a moment, so no other path is tried.
    if (why.code == ErrorCode::kWorkerStarting)
      return with_earlier(std::move(problems), std::move(result));
    if (why.code == ErrorCode::kNotRegistered) {
      auto other = via_registry(paths, name, stop);
      if (is_absent(other)) paths.perflib->report_unknown();
      return with_earlier(std::move(problems), std::move(other));
    }
    failed_perflib_ = {.name = name, .at = now, .generation = generation, .error = why};
  }
  auto result = with_earlier(std::move(problems), via_registry(paths, name, stop));
  if (is_pending(result)) {
    if (!resting) result.error().problems.push_back(failed_perflib_->error);
    return result;
  }
  if (!result) {
    // PerfLib's error is the reason; the registry's is one of the problems.
    Error& reason = result.error().error;
    result.error().problems.push_back(std::exchange(reason, failed_perflib_->error));
    return result;
  }
  state_.preferred_path_error = failed_perflib_->error;
  if (!resting) result->problems.push_back(failed_perflib_->error);
  return result;
}

}  // namespace winperf
