#include "collectors/sampler/counterset_collector.h"

#include <utility>

namespace winperf {
namespace {

constexpr std::chrono::minutes kPerflibRetryInterval{1};

// Whether another name may be tried after this.
bool is_absent(ErrorCode code) { return kind_of(code) == ErrorKind::kAbsent; }

}  // namespace

CountersetCollector::CountersetCollector(PlannedCounterset planned, std::string machine)
    : planned_(std::move(planned)), registry_(planned_), perflib_(planned_) {
  state_.name = planned_.label;
  state_.machine = std::move(machine);
}

void CountersetCollector::collect(const Paths& paths, const ClockSource& clocks,
                                  std::vector<Error>& problems, std::stop_token stop) {
  const auto started = clocks.steady_now();
  state_.preferred_path_error.reset();
  auto collected = collect_first_named(paths, started, problems, stop);
  const std::chrono::duration<double> took = clocks.steady_now() - started;

  ++state_.attempts;
  state_.duration_seconds = took.count();
  state_.success = collected.has_value();
  if (collected) {
    state_.sample = *std::move(collected);
    state_.sampled_at = clocks.wall_now();
    state_.error.reset();
    state_.nearest.clear();
    return;
  }
  ++state_.failures;
  state_.error = collected.error();
  find_nearest(paths.catalog);
  problems.push_back(collected.error());
}

// To compare a name with all that there are takes time, so it is done once for each catalog.
void CountersetCollector::find_nearest(const CatalogKeeper& catalog) {
  const bool is_unknown = catalog.objects_named(planned_.names.front()).empty() &&
                          kind_of(state_.error->code) == ErrorKind::kAbsent;
  if (!is_unknown) {
    state_.nearest.clear();
    compared_generation_.reset();
  } else if (compared_generation_ != catalog.generation()) {
    state_.nearest = catalog.catalog().nearest_name(planned_.names.front());
    compared_generation_ = catalog.generation();
  }
}

void CountersetCollector::change_interval(PerflibConnection* perflib,
                                          std::chrono::milliseconds interval) {
  planned_.interval = interval;
  if (perflib != nullptr) perflib_.move_to(*perflib, interval);
}

void CountersetCollector::leave(PerflibConnection* perflib) {
  if (perflib != nullptr) perflib_.stop(*perflib);
}

CountersetCollector::Collected CountersetCollector::collect_first_named(
    const Paths& paths, Time now, std::vector<Error>& problems, std::stop_token stop) {
  Error absent{.code = ErrorCode::kNoSuchName, .where = "counterset"};
  for (const std::string& name : planned_.names) {
    auto collected = collect_named(paths, name, now, problems, stop);
    if (collected || !is_absent(collected.error().code)) return collected;
    // That a name is known but not delivered says more than that another one is not known.
    if (collected.error().code != ErrorCode::kNoSuchName) absent = collected.error();
  }
  return std::unexpected(absent);
}

CountersetCollector::Collected CountersetCollector::collect_named(const Paths& paths,
                                                                  const std::string& name, Time now,
                                                                  std::vector<Error>& problems,
                                                                  std::stop_token stop) {
  if (planned_.path == CounterPath::kRegistry) return by_registry(paths, name, problems, stop);
  if (planned_.path == CounterPath::kPerflib) return by_perflib(paths, name, problems);
  if (paths.perflib == nullptr) return by_registry(paths, name, problems, stop);

  const std::uint64_t generation = paths.perflib->catalog().generation();
  const bool resting = failed_perflib_ && failed_perflib_->name == name &&
                       failed_perflib_->generation == generation &&
                       now - failed_perflib_->at < kPerflibRetryInterval;
  if (!resting) {
    auto collected = by_perflib(paths, name, problems);
    if (collected || collected.error().code == ErrorCode::kNotRunning) return collected;
    if (collected.error().code == ErrorCode::kNotRegistered) {
      auto other = by_registry(paths, name, problems, stop);
      if (!other && is_absent(other.error().code)) paths.perflib->report_unknown();
      return other;
    }
    failed_perflib_ = {
        .name = name, .at = now, .generation = generation, .error = collected.error()};
    problems.push_back(collected.error());
  }
  auto collected = by_registry(paths, name, problems, stop);
  if (!collected) return std::unexpected(failed_perflib_->error);
  state_.preferred_path_error = failed_perflib_->error;
  return collected;
}

CountersetCollector::Collected CountersetCollector::by_registry(const Paths& paths,
                                                                const std::string& name,
                                                                std::vector<Error>& problems,
                                                                std::stop_token stop) {
  auto reading = registry_.read(paths.registry, paths.catalog, name, problems, stop);
  if (!reading) return std::unexpected(reading.error());
  state_.bytes = reading->bytes;
  return std::move(reading->sample);
}

CountersetCollector::Collected CountersetCollector::by_perflib(const Paths& paths,
                                                               const std::string& name,
                                                               std::vector<Error>& problems) {
  if (paths.perflib == nullptr)
    return std::unexpected(Error{.code = ErrorCode::kUnsupported, .where = "perflib"});
  auto reading = perflib_.read(*paths.perflib, name, problems);
  if (!reading && planned_.path == CounterPath::kPerflib && is_absent(reading.error().code))
    paths.perflib->report_unknown();
  if (!reading) return std::unexpected(reading.error());
  state_.bytes = reading->bytes;
  return std::move(reading->sample);
}

}  // namespace winperf
