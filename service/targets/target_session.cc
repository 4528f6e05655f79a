#include "service/targets/target_session.h"

#include <algorithm>
#include <utility>

#include "collectors/discovery/discovery.h"
#include "config/patterns.h"
#include "config/targets.h"

namespace winperf {

TargetDescription describe_target(const Config& config, const TargetConfig& entry,
                                  const std::string& host, bool is_named) {
  TargetDescription description{.host = host,
                                .module = entry.module,
                                .is_named = is_named,
                                .config = config_of(config, entry)};
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
      page_(slot_, mapping, std::move(now),
            [this] { return TargetsReport{.targets = {state()}}; }) {}

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

// Where the registry is all that is asked, PerfLib's ports may be closed.
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
    look_again(stop);
  } else {
    open(stop);
  }
  const SteadyTime next = sampler_ ? sampler_->step(stop) : began;
  if (stop.stop_requested()) return true;
  const bool lost = machine_->losses() != lost_before;
  conclude(began, next, lost);
  // Nobody else tells these; what happened to the target is told.
  static_cast<void>(worker_->take_events());
  return !lost;
}

std::expected<Config, std::string> TargetSession::concrete_config(const StopToken& stop) {
  const Config& config = target_->description().config;
  if (!has_patterns(config)) return config;
  looked_at_ = tools_.clocks.steady_now();
  const DiscoveryScope scope{.costly = wants_costly(config), .names = tools_.name_language(config)};
  PerflibSource* const perflib = needs_perflib(config) ? machine_->perflib.get() : nullptr;
  auto inventory = take_inventory(*machine_->source, perflib, scope, tools_.clocks, stop);
  if (!inventory) return std::unexpected(describe(inventory.error()));
  if (!inventory->is_whole()) keep_unseen(*inventory, inventory_);
  inventory_ = *std::move(inventory);
  return expanded(config, inventory_);
}

void TargetSession::open(const StopToken& stop) {
  machine_->source->set_stop(stop);
  machine_->perflib->set_stop(stop);
  auto config = concrete_config(stop);
  open_error_ = config ? "" : config.error();
  if (!config) return;
  concrete_ = *std::move(config);
  PerflibSource* const perflib = needs_perflib(concrete_) ? machine_->perflib.get() : nullptr;
  sampler_.emplace(SamplerSources{.registry = *machine_->source,
                                  .perflib = perflib,
                                  .names = tools_.name_language(concrete_)},
                   target_->slot(), tools_.make_plan(concrete_), tools_.clocks,
                   [](const CountersetState&, StateChange) {});
}

void TargetSession::look_again(const StopToken& stop) {
  if (!has_patterns(target_->description().config)) return;
  if (tools_.clocks.steady_now() - looked_at_ < kLookInterval) return;
  auto config = concrete_config(stop);
  if (!config || *config == concrete_) return;
  sampler_->change_plan(tools_.make_steps(concrete_, *config));
  concrete_ = *std::move(config);
}

void TargetSession::close() {
  if (sampler_) sampler_->release();
  sampler_.reset();
  if (machine_) machine_->source->release();
  machine_.reset();
}

std::optional<std::string> TargetSession::failure_since(SteadyTime began) const {
  if (!open_error_.empty()) return open_error_;
  const auto sample = target_->slot().latest();
  if (sample == nullptr || sample->countersets.empty()) return "nothing of it is sampled";
  std::optional<std::string> failure;
  for (const CountersetState& state : sample->countersets) {
    // Also of one that wasn't due, because it has a longer interval; but not for much longer.
    const auto lasts = std::min(state.interval, 2 * target_->description().config.interval);
    if (state.success && state.sampled_at.steady + lasts >= began) return std::nullopt;
    if (!failure && state.error) failure = state.name + ": " + describe(*state.error);
  }
  // Without an answer there are no names either, which is what the countersets would complain of.
  if (const auto& silence = machine_->registry_link->failure()) return describe(*silence);
  return failure.value_or("nothing of it was answered");
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
    state.error = failure.value_or("");
    if (!failure) state.read_at = now;
  });
  if (lost) well_since_.reset();
  if (failure) {
    well_since_.reset();
    due_ = now + retry_pause(++failures_, target_->description().config.interval);
    if (!has_read_) close();
    return;
  }
  has_read_ = true;
  failures_ = 0;
  if (!lost && !well_since_) well_since_ = now;
  due_ = next;
}

void TargetSession::tell(const std::optional<std::string>& failure, bool lost) {
  // Strangers choose the names of those: the pool counts them.
  if (target_->is_on_trial()) return;
  const TargetState before = target_->state();
  const std::string name = target_->host() + " (" + target_->description().module + ")";
  if (lost) tools_.logger->write(Event::kTargetHangs, name, failure.value_or("a part of it"));
  if (failure && before.is_up.value_or(true))
    tools_.logger->write(Event::kTargetFails, name, "can't be read: " + *failure);
  if (!failure && !before.is_up.value_or(true))
    tools_.logger->write(Event::kTargetWorks, name, "can be read again");
}

}  // namespace winperf
