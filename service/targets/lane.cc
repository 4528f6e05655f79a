#include "service/targets/lane.h"

#include <algorithm>
#include <utility>

#include "collectors/base/system_text.h"
#include "collectors/discovery/discovery.h"
#include "config/patterns.h"
#include "service/plan/plan.h"

namespace winperf {
namespace {

TargetFailure failure_of(const Error& error, const std::string& prefix = {}) {
  return {.text = prefix + describe(error), .code = error.code};
}

}  // namespace

TargetDescription describe_target(SharedConfig config, const TargetConfig& entry,
                                  const std::string& host, bool is_named) {
  TargetDescription description{
      .host = host, .module = entry.module, .is_named = is_named, .config = std::move(config)};
  for (const FixedLabel& label : entry.labels)
    description.labels.emplace_back(label.name, label.value);
  return description;
}

Target::Target(TargetDescription description, const MappingOptions& mapping,
               std::function<SteadyTime()> now)
    : description_(std::move(description)),
      state_{.host = description_.host,
             .module = description_.module,
             .labels = description_.labels,
             .is_named = description_.is_named},
      is_on_trial_(!description_.is_named),
      view_(slot_,
            std::make_shared<MetricsPage>(slot_, mapping, now,
                                          [this] { return TargetsReport{.targets = {state()}}; }),
            mapping,
            {.host = description_.host,
             .history = [this]() -> std::shared_ptr<const recorder::History> {
               const auto memory = this->memory();
               return memory != nullptr ? memory->history() : nullptr;
             },
             .used = [this, now] { note_probe(now()); }}) {}

void Target::note_sample() {
  view_.forget_old_documents();
  const auto sample = slot_.latest();
  const auto memory = this->memory();
  if (sample != nullptr && memory != nullptr && !is_retired()) memory->add(*sample);
}

void Target::remember_in(std::shared_ptr<TargetMemory> memory) {
  const std::lock_guard lock(mutex_);
  memory_ = std::move(memory);
}

std::shared_ptr<TargetMemory> Target::memory() const {
  const std::lock_guard lock(mutex_);
  return memory_;
}

TargetState Target::state() const {
  const std::lock_guard lock(mutex_);
  return state_;
}

void Target::update(const std::function<void(TargetState&)>& change) {
  const std::lock_guard lock(mutex_);
  change(state_);
  if (state_.read_at) is_on_trial_ = false;
}

namespace {

// If only the registry is used, PerfLib's ports may be closed.
bool needs_perflib(const Config& config) {
  return std::ranges::any_of(config.countersets, [&](const CountersetConfig& entry) {
    return entry.path.value_or(config.path) != CounterPath::kRegistry;
  });
}

}  // namespace

bool TargetSession::step(const StopToken& stop) {
  const SteadyTime began = tools_.clocks.steady_now();
  if (!machine_) machine_ = tools_.connect(worker_, target_->host());
  const std::uint64_t lost_before = machine_->losses();
  if (sampler_) {
    rediscover(stop);
  } else {
    open(stop);
  }
  const SteadyTime next = sampler_ ? sampler_->step(stop) : began;
  if (stop.stop_requested()) return true;
  target_->note_sample();
  if (tools_.news != nullptr) tools_.news->note();
  const bool lost = machine_->losses() != lost_before;
  conclude(began, next, lost);
  // The target's own events are logged elsewhere; these are logged only here.
  static_cast<void>(worker_->take_events());
  return !lost;
}

std::expected<Config, TargetFailure> TargetSession::concrete_config(const StopToken& stop) {
  const Config& config = target_->description().config;
  if (!has_patterns(config)) return config;
  discovered_at_ = tools_.clocks.steady_now();
  const DiscoveryScope scope{.costly = wants_costly(config), .names = name_language(config)};
  PerflibSource* const perflib = needs_perflib(config) ? machine_->perflib.get() : nullptr;
  auto inventory = take_inventory(*machine_->source, perflib, scope, tools_.clocks, stop);
  if (!inventory) return std::unexpected(failure_of(inventory.error()));
  if (!inventory->is_whole()) keep_unseen(*inventory, inventory_);
  inventory_ = *std::move(inventory);
  return expanded(config, inventory_);
}

void TargetSession::open(const StopToken& stop) {
  machine_->source->set_stop(stop);
  machine_->perflib->set_stop(stop);
  auto config = concrete_config(stop);
  open_failure_.reset();
  if (!config) {
    open_failure_ = config.error();
    return;
  }
  concrete_ = *std::move(config);
  PerflibSource* const perflib = needs_perflib(concrete_) ? machine_->perflib.get() : nullptr;
  sampler_.emplace(
      SamplerSources{
          .registry = *machine_->source, .perflib = perflib, .names = name_language(concrete_)},
      target_->slot(), make_plan(concrete_), tools_.clocks,
      [](const CountersetState&, StateChange) {});
}

void TargetSession::rediscover(const StopToken& stop) {
  if (!has_patterns(target_->description().config)) return;
  if (tools_.clocks.steady_now() - discovered_at_ < kDiscoveryInterval) return;
  auto config = concrete_config(stop);
  if (!config || *config == concrete_) return;
  sampler_->change_plan(make_plan(concrete_, *config));
  concrete_ = *std::move(config);
}

void TargetSession::close() {
  if (sampler_) sampler_->release();
  sampler_.reset();
  if (machine_) machine_->source->release();
  machine_.reset();
}

std::optional<TargetFailure> TargetSession::failure_since(SteadyTime began) const {
  if (open_failure_) return open_failure_;
  const auto sample = target_->slot().latest();
  if (sample == nullptr || sample->countersets.empty())
    return TargetFailure{.text = "no counterset is sampled"};
  std::optional<TargetFailure> failure;
  for (const CountersetState& state : sample->countersets) {
    // Including countersets that weren't due because of a longer interval, but only for a limited
    // time.
    const auto lasts = std::min(state.interval, 2 * target_->description().config->interval);
    if (state.success && state.sampled_at.steady + lasts >= began) return std::nullopt;
    if (!failure && state.error) failure = failure_of(*state.error, state.name + ": ");
  }
  // Without an answer the names are unknown too, which the countersets would report instead.
  if (const auto& silence = machine_->registry_link->failure()) return failure_of(*silence);
  return failure.value_or(TargetFailure{.text = "the target returned no data"});
}

void TargetSession::conclude(SteadyTime began, SteadyTime next, bool lost) {
  const SteadyTime now = tools_.clocks.steady_now();
  const auto failure = failure_since(began);
  tell(failure, lost);
  target_->update([&](TargetState& state) {
    ++state.attempts;
    state.failures += failure ? 1U : 0U;
    state.lost_processes += lost ? 1U : 0U;
    state.is_up = !failure;
    state.late = std::max(SteadyTime::duration::zero(), began - due_);
    state.took = now - began;
    state.busy += now - began;
    state.failure = failure.value_or(TargetFailure{});
    if (!failure) state.read_at = now;
  });
  if (lost) well_since_.reset();
  if (failure) {
    well_since_.reset();
    due_ = now + retry_pause(++failures_, target_->description().config->interval);
    if (!has_read_) close();
    return;
  }
  has_read_ = true;
  failures_ = 0;
  if (!lost && !well_since_) well_since_ = now;
  due_ = next;
}

void TargetSession::tell(const std::optional<TargetFailure>& failure, bool lost) {
  // Clients choose these names, so the pool only counts them.
  if (target_->is_on_trial()) return;
  const TargetState before = target_->state();
  const std::string name = target_->host() + " (" + target_->description().module + ")";
  if (lost)
    tools_.logger->write(Event::kTargetHangs, name,
                         failure ? failure->text : "part of the query hung");
  if (failure && before.is_up.value_or(true))
    tools_.logger->write(Event::kTargetFails, name, "cannot be read: " + failure->text);
  if (!failure && !before.is_up.value_or(true))
    tools_.logger->write(Event::kTargetWorks, name, "can be read again");
}

Lane::Lane(std::size_t number, std::shared_ptr<worker::Worker> worker, const TargetTools& tools,
           LaneKind kind, Leave leave)
    : number_(number),
      worker_(std::move(worker)),
      tools_(tools),
      kind_(kind),
      leave_(std::move(leave)),
      worker_state_(worker_->state()),
      thread_([this] { run(changes_.stop_token()); }, [this] { changes_.request_stop(); }) {}

void Lane::add(std::shared_ptr<Target> target, SteadyTime due) {
  ++size_;
  changes_.put([&](std::optional<Arrivals>& arrivals) {
    if (!arrivals) arrivals.emplace();
    arrivals->push_back({std::move(target), due});
  });
}

void Lane::wake() {
  changes_.put([](std::optional<Arrivals>& arrivals) {
    if (!arrivals) arrivals.emplace();
  });
}

WorkerState Lane::worker_state() const {
  const std::lock_guard lock(mutex_);
  return worker_state_;
}

void Lane::run(const StopToken& stop) {
  while (!stop.stop_requested()) {
    const auto first = first_due();
    const SteadyTime due = first == sessions_.end() ? SteadyTime::max() : (*first)->due();
    if (due <= tools_.clocks.steady_now() && !(*first)->target()->is_retired()) step(first, stop);
    // Targets may have been added or retired while the lane was busy.
    const auto next = first_due();
    take(changes_.wait(next == sessions_.end() ? SteadyTime::max() : (*next)->due(), tools_.clocks)
             .value_or(Arrivals{}));
  }
  // Ends the worker's process instead of closing the connections, because closing could hang.
  worker_->finish();
  sessions_.clear();
}

void Lane::take(Arrivals arrivals) {
  for (Arrival& arrival : arrivals)
    sessions_.push_back(
        std::make_unique<TargetSession>(std::move(arrival.target), worker_, tools_, arrival.due));
  size_ -=
      std::erase_if(sessions_, [](const auto& session) { return session->target()->is_retired(); });
}

void Lane::step(Sessions::iterator session, const StopToken& stop) {
  bool is_well = false;
  try {
    is_well = (*session)->step(stop);
  } catch (const std::exception& error) {
    begin_anew(session, exception_text(error));
    return;
  }
  {
    const std::lock_guard lock(mutex_);
    worker_state_ = worker_->state();
  }
  if (has_to_leave(**session, is_well)) let_go(session);
}

bool Lane::has_to_leave(const TargetSession& session, bool is_well) const {
  switch (kind_) {
    case LaneKind::kCommon:
      return !is_well;
    case LaneKind::kHanging:
      return session.well_since() &&
             tools_.clocks.steady_now() - *session.well_since() >= kWellAgain;
    case LaneKind::kTrial:
      break;
  }
  return true;
}

void Lane::begin_anew(Sessions::iterator session, const std::string& why) {
  Target& target = *(*session)->target();
  if (kind_ == LaneKind::kTrial) {
    target.update([&](TargetState& state) { state.failure = {.text = why}; });
    return let_go(session);
  }
  tools_.logger->write(Event::kTargetFails, target.host(), "cannot be read: " + why);
  // Like one that was just added.
  *session = std::make_unique<TargetSession>((*session)->target(), worker_, tools_,
                                             tools_.clocks.steady_now() + kLongestRetryPause);
}

Lane::Sessions::iterator Lane::first_due() {
  return std::ranges::min_element(sessions_, {},
                                  [](const auto& session) { return session->due(); });
}

void Lane::let_go(Sessions::iterator session) {
  auto target = (*session)->target();
  sessions_.erase(session);
  --size_;
  leave_(std::move(target));
}

}  // namespace winperf
