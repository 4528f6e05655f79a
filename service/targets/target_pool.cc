#include "service/targets/target_pool.h"

#include <algorithm>
#include <ranges>
#include <set>

#include "collectors/base/system_text.h"
#include "config/targets.h"

namespace winperf {
namespace {

// What a lane's worker is started with; another one means other lanes.
bool same_lanes(const Config& a, const Config& b) {
  return a.limits == b.limits && a.workers == b.workers && a.remote == b.remote;
}

bool is_same(const TargetDescription& a, const TargetDescription& b) {
  return a.host == b.host && a.labels == b.labels && a.is_named == b.is_named &&
         a.config == b.config;
}

}  // namespace

void TargetPool::change(const Config& config) {
  const std::lock_guard lock(mutex_);
  if (!same_lanes(config_, config)) {
    for (const auto& [key, target] : targets_) target->retire();
    targets_.clear();
    for (Lanes& lanes : lanes_) {
      for (auto& lane : lanes) {
        lane->request_stop();
        ending_.push_back(std::move(lane));
      }
      lanes.clear();
    }
  }
  config_ = config;
  // What has changed may be why they failed.
  failed_.clear();
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
  lane_for(target->is_on_trial() ? LaneKind::kTrial : LaneKind::kCommon).add(target, due);
  return targets_[std::move(key)] = std::move(target);
}

std::unique_ptr<Lane> TargetPool::make_lane(LaneKind kind) {
  const std::size_t number = free_number();
  return std::make_unique<Lane>(
      number, tools_.make_worker(config_, std::to_string(number)), tools_, kind,
      [this, kind](std::shared_ptr<Target> target) { move(std::move(target), kind); });
}

// The first one that no lane has, so that lanes that come and go lead to no more series.
std::size_t TargetPool::free_number() const {
  std::set<std::size_t> taken;
  for (const Lanes& lanes : lanes_)
    for (const auto& lane : lanes) taken.insert(lane->number());
  for (const auto& lane : ending_) taken.insert(lane->number());
  std::size_t number = 1;
  while (taken.contains(number)) ++number;
  return number;
}

Lane& TargetPool::lane_for(LaneKind kind) {
  const std::array<std::size_t, kLaneKinds> most{config_.remote.workers, kMaxLonely,
                                                 kMaxTrialLanes};
  Lanes& lanes = this->lanes(kind);
  const auto emptiest = std::ranges::min_element(lanes, {}, &Lane::size);
  const bool is_free = emptiest != lanes.end() && (*emptiest)->size() == 0;
  if (lanes.size() >= most.at(static_cast<std::size_t>(kind)) || is_free) return **emptiest;
  try {
    return *lanes.emplace_back(make_lane(kind));
  } catch (const std::exception&) {
    // No memory, or no thread: what there is has to do.
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
  failed_.note({host_key(description.host), description.module}, target.state().error,
               description.config.interval, tools_.clocks.steady_now());
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
  const auto pause = hangs ? target->description().config.interval : std::chrono::milliseconds(0);
  try {
    lane_for(hangs ? LaneKind::kHanging : LaneKind::kCommon)
        .add(target, tools_.clocks.steady_now() + pause);
  } catch (const std::exception& error) {
    // Nobody has it any more; a change of the configuration brings it back.
    tools_.logger->write(Event::kTargetFails, target->host(),
                         "is no longer read: " + exception_text(error));
    target->retire();
    remove(*target);
  }
}

void TargetPool::look() {
  for (const Lanes& lanes : lanes_)
    for (const auto& lane : lanes) lane->look();
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
  failed_.forget_old(now);
  if (const auto news = failed_.take_news(now)) tools_.logger->write(Event::kProbesFail, *news);
  end_idle_lanes(now);
  const auto gone = std::ranges::stable_partition(
      ending_, [](const auto& lane) { return !lane->ended_by(std::chrono::steady_clock::now()); });
  std::ranges::move(gone, std::back_inserter(ended));
  ending_.erase(gone.begin(), gone.end());
}

void TargetPool::end_idle_lanes(SteadyTime now) {
  for (Lanes& lanes : lanes_) {
    // So that names that come one by one don't lead to a process each.
    if (&lanes == &this->lanes(LaneKind::kTrial) && now - last_trial_ < kKeepTrialLanes) continue;
    const auto idle =
        std::ranges::stable_partition(lanes, [](const auto& lane) { return lane->size() != 0; });
    for (auto& lane : idle) {
      lane->request_stop();
      ending_.push_back(std::move(lane));
    }
    lanes.erase(idle.begin(), idle.end());
  }
}

void TargetPool::request_stop() {
  const std::lock_guard lock(mutex_);
  is_stopped_ = true;
  for (const Lanes& lanes : lanes_)
    for (const auto& lane : lanes) lane->request_stop();
  for (const auto& lane : ending_) lane->request_stop();
}

bool TargetPool::ended_by(std::chrono::steady_clock::time_point deadline) const {
  const auto has_ended = [&](const auto& lane) { return lane->ended_by(deadline); };
  return std::ranges::all_of(ending_, has_ended) &&
         std::ranges::all_of(
             lanes_, [&](const Lanes& lanes) { return std::ranges::all_of(lanes, has_ended); });
}

std::shared_ptr<Target> TargetPool::find(const Key& key) const {
  const auto found = targets_.find(key);
  return found == targets_.end() ? nullptr : found->second;
}

}  // namespace winperf
