#include "service/targets/target_pool.h"

#include <algorithm>
#include <ranges>

#include "collectors/base/system_text.h"
#include "config/targets.h"

namespace winperf {
namespace {

constexpr std::chrono::seconds kRetryAfter{5};

// What a lane's worker is started with; another one means other lanes.
bool same_lanes(const Config& a, const Config& b) {
  return a.limits == b.limits && a.workers == b.workers && a.remote == b.remote;
}

bool is_same(const TargetDescription& a, const TargetDescription& b) {
  return a.host == b.host && a.labels == b.labels && a.is_named == b.is_named &&
         a.config == b.config;
}

// The first entry of this module that has a pattern for the machine; null if there is none.
const TargetConfig* entry_by_pattern(const Config& config,
                                     const std::pair<std::string, std::string>& key) {
  const auto matches = [&](const std::string& pattern) {
    return is_host_pattern(pattern) && matches_host(pattern, key.first);
  };
  const auto found = std::ranges::find_if(config.targets, [&](const TargetConfig& entry) {
    return entry.module == key.second && std::ranges::any_of(entry.hosts, matches);
  });
  return found == config.targets.end() ? nullptr : &*found;
}

ProbeAnswer refusal(int status, std::string reason) {
  return {.status = status, .reason = std::move(reason)};
}

}  // namespace

void TargetPool::change(const Config& config) {
  const std::lock_guard lock(mutex_);
  if (!same_lanes(config_, config)) {
    for (const auto& [key, target] : targets_) target->retire();
    targets_.clear();
    for (Lanes* const lanes : {&common_, &lonely_}) {
      for (auto& lane : *lanes) {
        lane->request_stop();
        ending_.push_back(std::move(lane));
      }
      lanes->clear();
    }
  }
  config_ = config;
  std::map<Key, TargetDescription> wanted;
  for (const TargetConfig& entry : config.targets)
    for (const std::string& host : entry.hosts)
      if (!is_host_pattern(host))
        wanted.emplace(Key{host_key(host), entry.module},
                       describe_target(config, entry, host, true));
  for (const auto& [key, target] : targets_)
    if (const TargetConfig* const entry = entry_by_pattern(config, key);
        entry != nullptr && !target->description().is_named)
      wanted.emplace(key, describe_target(config, *entry, target->host(), false));
  std::erase_if(targets_, [&](const auto& known) {
    const auto same = wanted.find(known.first);
    const bool stays = same != wanted.end() && is_same(same->second, known.second->description());
    if (!stays) known.second->retire();
    return !stays;
  });
  // Spread over an interval, so that they don't all come at once.
  const SteadyTime now = tools_.clocks.steady_now();
  std::size_t place = 0;
  for (auto& [key, description] : wanted) {
    const auto within = description.config.interval * place++ / wanted.size();
    if (description.is_named && !targets_.contains(key)) add(std::move(description), now + within);
  }
  look();
}

std::shared_ptr<Target> TargetPool::add(TargetDescription description, SteadyTime due) {
  Key key{host_key(description.host), description.module};
  auto target = std::make_shared<Target>(std::move(description), tools_.mapping(description.config),
                                         tools_.clocks.steady_now);
  lane_for(false).add(target, due);
  return targets_[std::move(key)] = std::move(target);
}

std::unique_ptr<Lane> TargetPool::make_lane(bool hangs) {
  return std::make_unique<Lane>(
      tools_.make_worker(config_, std::to_string(++made_)), tools_, hangs,
      [this, hangs](std::shared_ptr<Target> target) { move(std::move(target), !hangs); });
}

Lane& TargetPool::lane_for(bool hangs) {
  Lanes& lanes = hangs ? lonely_ : common_;
  const std::size_t most = hangs ? kMaxLonely : config_.remote.workers;
  const auto emptiest = std::ranges::min_element(lanes, {}, &Lane::size);
  const bool is_free = emptiest != lanes.end() && (*emptiest)->size() == 0;
  if (lanes.size() >= most || is_free) return **emptiest;
  try {
    return *lanes.emplace_back(make_lane(hangs));
  } catch (const std::exception&) {
    // No memory, or no thread: what there is has to do.
    if (emptiest == lanes.end()) throw;
    return **emptiest;
  }
}

// From the thread of another lane.
void TargetPool::move(std::shared_ptr<Target> target, bool hangs) {
  const std::lock_guard lock(mutex_);
  if (is_stopped_ || target->is_retired()) return;
  target->update([&](TargetState& state) { state.is_alone = hangs; });
  // After a loss it waits for an interval.
  const auto pause = hangs ? target->description().config.interval : std::chrono::milliseconds(0);
  try {
    lane_for(hangs).add(target, tools_.clocks.steady_now() + pause);
  } catch (const std::exception& error) {
    // Nobody has it any more; a change of the configuration brings it back.
    tools_.logger->write(Event::kTargetFails, target->host(),
                         "is no longer read: " + exception_text(error));
    target->retire();
    std::erase_if(targets_, [&](const auto& known) { return known.second == target; });
  }
}

void TargetPool::look() {
  for (const Lanes* const lanes : {&common_, &lonely_})
    for (const auto& lane : *lanes) lane->look();
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
  if (targets_.size() != before) look();
  for (Lanes* const lanes : {&common_, &lonely_}) {
    const auto idle =
        std::ranges::stable_partition(*lanes, [](const auto& lane) { return lane->size() != 0; });
    for (auto& lane : idle) {
      lane->request_stop();
      ending_.push_back(std::move(lane));
    }
    lanes->erase(idle.begin(), idle.end());
  }
  const auto gone = std::ranges::stable_partition(
      ending_, [](const auto& lane) { return !lane->ended_by(std::chrono::steady_clock::now()); });
  std::ranges::move(gone, std::back_inserter(ended));
  ending_.erase(gone.begin(), gone.end());
}

void TargetPool::request_stop() {
  const std::lock_guard lock(mutex_);
  is_stopped_ = true;
  for (const Lanes* const lanes : {&common_, &lonely_, &ending_})
    for (const auto& lane : *lanes) lane->request_stop();
}

bool TargetPool::ended_by(std::chrono::steady_clock::time_point deadline) const {
  const auto has_ended = [&](const auto& lane) { return lane->ended_by(deadline); };
  return std::ranges::all_of(common_, has_ended) && std::ranges::all_of(lonely_, has_ended) &&
         std::ranges::all_of(ending_, has_ended);
}

std::shared_ptr<Target> TargetPool::find(const Key& key) const {
  const auto found = targets_.find(key);
  return found == targets_.end() ? nullptr : found->second;
}

ProbeAnswer TargetPool::probe(std::string_view host, std::string_view module) {
  const Key key{host_key(host), std::string(module)};
  const std::lock_guard lock(mutex_);
  if (is_stopped_) return refusal(503, "this program is stopping");
  auto target = find(key);
  if (target == nullptr) return first_probe(key, host);
  target->note_probe(tools_.clocks.steady_now());
  const TargetState state = target->state();
  if (!state.is_up)
    return {.status = 503,
            .reason = "this target has not been sampled yet",
            .retry_after = kRetryAfter};
  // The page lives as long as somebody uses it.
  return {.page = std::shared_ptr<MetricsPage>(target, &target->page())};
}

ProbeAnswer TargetPool::first_probe(const Key& key, std::string_view host) {
  if (config_.targets.empty())
    return refusal(404, "no targets are configured; see targets in the configuration");
  const auto is_meant = [&](const TargetConfig& entry) {
    return std::ranges::any_of(entry.hosts, [&](const std::string& name) {
      return is_host_pattern(name) ? matches_host(name, key.first) : host_key(name) == key.first;
    });
  };
  if (!is_target_name(key.first) || is_host_pattern(key.first) ||
      std::ranges::none_of(config_.targets, is_meant))
    return refusal(403, "this target is not in the configuration, and only those are read");
  const TargetConfig* const entry = entry_by_pattern(config_, key);
  if (entry == nullptr) return refusal(404, "this target has no such module");
  std::size_t unnamed = 0;
  std::size_t unread = 0;  // each of them may hang, and holds up others until that is known
  for (const auto& [name, target] : targets_) {
    if (target->description().is_named) continue;
    ++unnamed;
    if (!target->state().read_at) ++unread;
  }
  if (unnamed >= kMaxUnnamed || unread >= kMaxUnread)
    return {.status = 503,
            .reason = "too many targets are probed that only a pattern names",
            .retry_after = kRetryAfter};
  const SteadyTime now = tools_.clocks.steady_now();
  add(describe_target(config_, *entry, std::string(host), false), now)->note_probe(now);
  return {.status = 503,
          .reason = "this target is being sampled from now on",
          .retry_after = kRetryAfter};
}

TargetsReport TargetPool::report() const {
  const std::lock_guard lock(mutex_);
  TargetsReport report;
  for (const auto& [key, target] : targets_) report.targets.push_back(target->state());
  for (const Lanes* const lanes : {&common_, &lonely_})
    for (const auto& lane : *lanes) report.workers.push_back(lane->worker_state());
  return report;
}

}  // namespace winperf
