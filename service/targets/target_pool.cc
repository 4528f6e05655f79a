#include "service/targets/target_pool.h"

#include <algorithm>
#include <ranges>
#include <set>
#include <string>
#include <utility>

#include "collectors/base/machine_name.h"
#include "collectors/base/net_address.h"
#include "collectors/base/system_text.h"
#include "config/hosts.h"
#include "service/plan/plan.h"
#include "service/targets/lane.h"

namespace winperf {

void FailedProbes::note(const Key& key, TargetFailure failure, std::chrono::milliseconds interval,
                        SteadyTime now) {
  if (!names_.contains(key)) {
    make_room();
    if (new_ones_++ == 0) example_ = key.first + ": " + failure.text;
  }
  FailedProbe& failed = names_[key];
  failed = {.failure = std::move(failure), .attempts = failed.attempts + 1, .failed_at = now};
  failed.retry_at = now + retry_pause(failed.attempts, interval);
}

const FailedProbe* FailedProbes::waiting(const Key& key, SteadyTime now) const {
  const auto found = names_.find(key);
  return found != names_.end() && now < found->second.retry_at ? &found->second : nullptr;
}

void FailedProbes::forget_old(SteadyTime now) {
  std::erase_if(names_,
                [&](const auto& known) { return now - known.second.retry_at > kForgetAfter; });
}

void FailedProbes::make_room() {
  if (names_.size() < kMaxNames) return;
  names_.erase(std::ranges::min_element(names_, {},
                                        [](const auto& known) { return known.second.failed_at; }));
}

std::optional<std::string> FailedProbes::take_summary(SteadyTime now) {
  if (new_ones_ == 0 || (reported_at_ && now - *reported_at_ < kReportInterval))
    return std::nullopt;
  const std::size_t count = std::exchange(new_ones_, 0);
  reported_at_ = now;
  return count == 1
             ? "a probed target could not be read: " + example_
             : std::to_string(count) + " probed targets could not be read, such as " + example_;
}

namespace {

// The configuration that lanes' workers are started with; if it changes, lanes are replaced.
bool same_lanes(const Config& a, const Config& b) {
  return a.limits == b.limits && a.workers == b.workers && a.remote == b.remote;
}

bool is_same(const TargetDescription& a, const TargetDescription& b) {
  return a.host == b.host && a.labels == b.labels && a.is_named == b.is_named &&
         a.config == b.config;
}

// The first entry of this module that has a pattern for the machine; null if there is none.
const TargetConfig* entry_by_pattern(const Config& config, const FailedProbes::Key& key) {
  const auto matches = [&](const std::string& pattern) {
    return is_host_pattern(pattern) && matches_host(host_key(pattern), key.first);
  };
  const auto found = std::ranges::find_if(config.targets, [&](const TargetConfig& entry) {
    return entry.module == key.second && std::ranges::any_of(entry.hosts, matches);
  });
  return found == config.targets.end() ? nullptr : &*found;
}

}  // namespace

void TargetPool::change(const SharedConfig& config) {
  follow(config);
  // Whoever watches a target that is gone.
  if (tools_.news != nullptr) tools_.news->note();
}

void TargetPool::follow(const SharedConfig& config) {
  const std::lock_guard lock(mutex_);
  if (!same_lanes(config_, config)) {
    for (const auto& [key, target] : targets_) target->retire();
    targets_.clear();
    for (Lanes& lanes : lanes_) end(lanes, lanes.begin());
  }
  config_ = config;
  // The change may fix their failures.
  failed_.clear();
  change_memories();
  std::map<Key, TargetDescription> wanted;
  for (const TargetConfig& entry : config->targets) {
    const SharedConfig of_all = config_of(config, entry);
    for (const std::string& host : entry.hosts) {
      if (is_host_pattern(host)) continue;
      wanted.emplace(Key{host_key(host), entry.module}, describe_target(of_all, entry, host, true));
    }
  }
  for (const auto& [key, target] : targets_)
    if (const TargetConfig* const entry = entry_by_pattern(config, key);
        entry != nullptr && !target->description().is_named)
      wanted.emplace(key,
                     describe_target(config_of(config, *entry), *entry, target->host(), false));
  std::erase_if(targets_, [&](const auto& known) {
    const auto same = wanted.find(known.first);
    const bool stays = same != wanted.end() && is_same(same->second, known.second->description());
    if (!stays) known.second->retire();
    return !stays;
  });
  // Spread over an interval, so that they aren't all due at the same time.
  const SteadyTime now = tools_.clocks.steady_now();
  std::size_t place = 0;
  for (auto& [key, description] : wanted) {
    const auto within = description.config->interval * place++ / wanted.size();
    if (description.is_named && !targets_.contains(key)) add(std::move(description), now + within);
  }
  for (const auto& [key, target] : targets_) target->remember_in(memory_of(key));
  wake_lanes();
}

// What is remembered of a target stays if only its configuration changes.
void TargetPool::change_memories() {
  std::map<Key, std::shared_ptr<TargetMemory>> memories;
  const std::size_t budget = recorder_share(*config_);
  for (const RecordedTarget& target : recorded_targets(*config_)) {
    Key key{target.host, target.module};
    const auto known = memories_.find(key);
    auto memory = known != memories_.end() ? known->second : std::make_shared<TargetMemory>();
    memory->change_budget(budget);
    memories.emplace(std::move(key), std::move(memory));
  }
  memories_.swap(memories);
}

// Null if it isn't recorded.
std::shared_ptr<TargetMemory> TargetPool::memory_of(const Key& key) const {
  const auto found = memories_.find(key);
  return found == memories_.end() ? nullptr : found->second;
}

std::size_t TargetPool::recorded_bytes() const {
  const std::lock_guard lock(mutex_);
  std::size_t bytes = 0;
  for (const auto& [key, memory] : memories_)
    if (const auto history = memory->history()) bytes += history->memory;
  return bytes;
}

std::shared_ptr<Target> TargetPool::add(TargetDescription description, SteadyTime due) {
  Key key{host_key(description.host), description.module};
  auto target = std::make_shared<Target>(
      std::move(description), mapping_options(description.config), tools_.clocks.steady_now);
  lane_for(target->is_on_trial() ? LaneKind::kTrial : LaneKind::kCommon).add(target, due);
  return targets_[std::move(key)] = std::move(target);
}

std::unique_ptr<Lane> TargetPool::make_lane(LaneKind kind) {
  const std::size_t number = free_number();
  return std::make_unique<Lane>(
      number, tools_.make_worker(config_, std::to_string(number)), tools_, kind,
      [this, kind](std::shared_ptr<Target> target) { move(std::move(target), kind); });
}

// The lowest free number, so that new lanes create no new series.
std::size_t TargetPool::free_number() const {
  std::set<std::size_t> taken;
  for (const auto& lane : lanes_ | std::views::join) taken.insert(lane->number());
  for (const auto& lane : ending_) taken.insert(lane->number());
  std::size_t number = 1;
  while (taken.contains(number)) ++number;
  return number;
}

Lane& TargetPool::lane_for(LaneKind kind) {
  const std::array<std::size_t, kLaneKinds> most{config_->remote.workers, kMaxHangingLanes,
                                                 kMaxTrialLanes};
  Lanes& lanes = this->lanes(kind);
  const auto emptiest = std::ranges::min_element(lanes, {}, &Lane::size);
  const bool is_free = emptiest != lanes.end() && (*emptiest)->size() == 0;
  if (lanes.size() >= most.at(static_cast<std::size_t>(kind)) || is_free) return **emptiest;
  try {
    return *lanes.emplace_back(make_lane(kind));
  } catch (const std::exception&) {
    // Out of memory or threads: continue with the existing lanes.
    if (emptiest == lanes.end()) throw;
    return **emptiest;
  }
}

void TargetPool::remove(const Target& target) {
  std::erase_if(targets_, [&](const auto& known) { return known.second.get() == &target; });
}

void TargetPool::give_up(const Target& target) {
  ++ever_.ever_failed;
  const TargetDescription& description = target.description();
  failed_.note({host_key(description.host), description.module}, target.state().failure,
               description.config->interval, tools_.clocks.steady_now());
  remove(target);
}

// From the thread of another lane.
void TargetPool::move(std::shared_ptr<Target> target, LaneKind from) {
  const std::lock_guard lock(mutex_);
  if (is_stopped_ || target->is_retired()) return;
  if (target->is_on_trial()) return give_up(*target);
  if (from == LaneKind::kTrial) {
    ++ever_.ever_read;
    failed_.forget({host_key(target->host()), target->description().module});
  }
  const bool hangs =
      from == LaneKind::kCommon || (from == LaneKind::kTrial && target->state().lost_processes > 0);
  target->update([&](TargetState& state) { state.is_alone = hangs; });
  // After a loss it waits for an interval.
  const auto pause = hangs ? target->description().config->interval : std::chrono::milliseconds(0);
  try {
    lane_for(hangs ? LaneKind::kHanging : LaneKind::kCommon)
        .add(target, tools_.clocks.steady_now() + pause);
  } catch (const std::exception& error) {
    // No lane has it now; a change of the configuration adds it again.
    tools_.logger->write(Event::kTargetFails, target->host(),
                         "is no longer sampled: " + exception_text(error));
    target->retire();
    remove(*target);
  }
}

void TargetPool::wake_lanes() {
  for (const auto& lane : lanes_ | std::views::join) lane->wake();
}

void TargetPool::maintain() {
  Lanes ended;  // go after the mutex is free
  const std::lock_guard lock(mutex_);
  const SteadyTime now = tools_.clocks.steady_now();
  const std::size_t before = targets_.size();
  std::erase_if(targets_, [&](const auto& known) {
    Target& target = *known.second;
    const bool is_forgotten =
        !target.description().is_named && now - target.probed_at() > kForgetAfter;
    if (is_forgotten) target.retire();
    return is_forgotten;
  });
  if (targets_.size() != before) wake_lanes();
  for (const auto& [key, target] : targets_) target->view().forget_unless_used();
  failed_.forget_old(now);
  if (const auto news = failed_.take_summary(now)) tools_.logger->write(Event::kProbesFail, *news);
  end_idle_lanes(now);
  const auto gone = std::ranges::stable_partition(
      ending_, [](const auto& lane) { return !lane->ended_by(std::chrono::steady_clock::now()); });
  std::ranges::move(gone, std::back_inserter(ended));
  ending_.erase(gone.begin(), gone.end());
}

void TargetPool::end_idle_lanes(SteadyTime now) {
  for (Lanes& lanes : lanes_) {
    // So that single names in sequence don't start a process each.
    if (&lanes == &this->lanes(LaneKind::kTrial) && now - last_trial_ < kKeepTrialLanes) continue;
    end(lanes, std::ranges::stable_partition(lanes, [](const auto& lane) {
                 return lane->size() != 0;
               }).begin());
  }
}

void TargetPool::end(Lanes& lanes, Lanes::iterator first) {
  for (auto lane = first; lane != lanes.end(); ++lane) {
    (*lane)->request_stop();
    ending_.push_back(std::move(*lane));
  }
  lanes.erase(first, lanes.end());
}

void TargetPool::request_stop() {
  const std::lock_guard lock(mutex_);
  is_stopped_ = true;
  for (const auto& lane : lanes_ | std::views::join) lane->request_stop();
  for (const auto& lane : ending_) lane->request_stop();
}

bool TargetPool::ended_by(std::chrono::steady_clock::time_point deadline) const {
  const auto has_ended = [&](const auto& lane) { return lane->ended_by(deadline); };
  return std::ranges::all_of(ending_, has_ended) &&
         std::ranges::all_of(lanes_ | std::views::join, has_ended);
}

// Answers to probes.

namespace {

constexpr std::chrono::seconds kRetryAfter{5};

// For programs; a code of ErrorCode otherwise.
constexpr std::string_view kNotSampledYet = "not_sampled_yet";

std::string_view code_of(const TargetFailure& failure) {
  return failure.code ? name_of(*failure.code) : std::string_view();
}

ProbeAnswer refusal(int status, std::string reason) {
  return {.status = status, .reason = std::move(reason)};
}

ProbeAnswer later(std::string reason, std::string_view code,
                  std::chrono::seconds retry_after = kRetryAfter) {
  return {.status = 503, .reason = std::move(reason), .code = code, .retry_after = retry_after};
}

// From memory, so that asking again costs nothing.
ProbeAnswer of_failed(const FailedProbe& failed, SteadyTime now) {
  const auto left = std::chrono::ceil<std::chrono::seconds>(failed.retry_at - now);
  return later("this target could not be read: " + failed.failure.text +
                   "; it can be probed again in " + std::to_string(left.count()) + " s",
               code_of(failed.failure), left);
}

bool names(const TargetConfig& entry, const std::string& key) {
  return std::ranges::any_of(entry.hosts, [&](const std::string& name) {
    return is_host_pattern(name) ? matches_host(host_key(name), key) : host_key(name) == key;
  });
}

}  // namespace

ProbeAnswer TargetPool::probe(std::string_view host, std::string_view module,
                              const NetAddress& asker) {
  const auto name = machine_name(host);
  if (!name) return refusal(400, "the target is not a machine name: " + name.error());
  const Key key{host_key(*name), std::string(module)};
  const std::lock_guard lock(mutex_);
  if (is_stopped_) return refusal(503, "this program is stopping");
  const auto found = targets_.find(key);
  if (found == targets_.end()) return first_probe(key, asker);
  const std::shared_ptr<Target>& target = found->second;
  target->note_probe(tools_.clocks.steady_now());
  if (!target->state().is_up || target->is_on_trial())
    return later("this target has not been sampled yet", kNotSampledYet);
  // It lives as long as it is used.
  ProbeAnswer answer{.machine = std::shared_ptr<MachineView>(target, &target->view())};
  if (const TargetState state = target->state(); !state.read_at) {
    answer.reason = "this target could not be read yet: " + state.failure.text;
    answer.code = code_of(state.failure);
    answer.retry_after = kRetryAfter;
  }
  return answer;
}

ProbeAnswer TargetPool::first_probe(const Key& key, const NetAddress& asker) {
  if (config_->targets.empty())
    return refusal(404, "no targets are configured; see targets in the configuration");
  if (std::ranges::none_of(config_->targets,
                           [&](const TargetConfig& entry) { return names(entry, key.first); }))
    return refusal(403, "this target is not in the configuration");
  const TargetConfig* const entry = entry_by_pattern(config_, key);
  if (entry == nullptr)
    return {.status = 404, .reason = "this target has no such module", .is_module_unknown = true};
  const SteadyTime now = tools_.clocks.steady_now();
  if (const FailedProbe* const failed = failed_.waiting(key, now)) return of_failed(*failed, now);
  const NetAddress network = network_of(asker);
  if (!make_place(network)) {
    ++ever_.ever_refused;
    return later("too many targets that match a pattern are being probed", {});
  }
  auto description = describe_target(config_of(config_, *entry), *entry, key.first, false);
  description.network = network;
  add(std::move(description), now)->note_probe(now);
  last_trial_ = now;
  return later("this target is sampled from now on", kNotSampledYet);
}

bool TargetPool::make_place(const NetAddress& network) {
  std::vector<std::shared_ptr<Target>> trials;
  std::size_t unnamed = 0;
  for (const auto& [name, target] : targets_) {
    if (target->description().is_named) continue;
    ++unnamed;
    if (target->is_on_trial()) trials.push_back(target);
  }
  const auto network_of_trial = [](const auto& trial) { return trial->description().network; };
  const auto count_of = [&](const NetAddress& one) {
    return static_cast<std::size_t>(std::ranges::count(trials, one, network_of_trial));
  };
  const std::size_t own = count_of(network);
  if (unnamed >= kMaxUnnamed || own >= kMaxTrialsOfOne) return false;
  if (trials.size() < kMaxTrials) return true;
  // Of the network with the most places, the last one, which has probably not begun. Never if the
  // two would alternate permanently.
  const auto share = [&](const auto& trial) {
    return std::pair(count_of(network_of_trial(trial)), trial->probed_at());
  };
  const auto greatest = std::ranges::max_element(trials, {}, share);
  if (count_of(network_of_trial(*greatest)) <= own + 1) return false;
  (*greatest)->retire();
  remove(**greatest);
  ++ever_.ever_refused;
  return true;
}

ProbedTargets TargetPool::counted() const {
  ProbedTargets counted = ever_;
  counted.failed = failed_.size();
  for (const auto& [key, target] : targets_)
    if (!target->description().is_named) ++(target->is_on_trial() ? counted.trying : counted.read);
  return counted;
}

std::uint64_t TargetPool::worker_restarts() const {
  const std::lock_guard lock(mutex_);
  std::uint64_t restarts = 0;
  for (const auto& lane : lanes_ | std::views::join)
    restarts += lost_processes(lane->worker_state());
  return restarts;
}

TargetsReport TargetPool::report() const {
  const std::lock_guard lock(mutex_);
  TargetsReport report;
  for (const auto& [key, target] : targets_)
    if (!target->is_on_trial()) report.targets.push_back(target->state());
  for (const auto& lane : lanes_ | std::views::join) report.workers.push_back(lane->worker_state());
  const auto has_pattern = [](const TargetConfig& entry) {
    return std::ranges::any_of(entry.hosts, is_host_pattern);
  };
  if (std::ranges::any_of(config_->targets, has_pattern)) report.probed = counted();
  return report;
}

}  // namespace winperf
