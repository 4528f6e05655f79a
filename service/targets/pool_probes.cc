// What the pool answers to strangers.
#include <algorithm>
#include <string>
#include <utility>

#include "collectors/base/machine_name.h"
#include "config/targets.h"
#include "exporter/http/socket_address.h"
#include "service/targets/target_pool.h"

namespace winperf {
namespace {

constexpr std::chrono::seconds kRetryAfter{5};

ProbeAnswer refusal(int status, std::string reason) {
  return {.status = status, .reason = std::move(reason)};
}

ProbeAnswer later(std::string reason, std::chrono::seconds retry_after = kRetryAfter) {
  return {.status = 503, .reason = std::move(reason), .retry_after = retry_after};
}

// From memory, so that asking again costs nothing.
ProbeAnswer of_failed(const FailedProbe& failed, SteadyTime now) {
  const auto left = std::chrono::ceil<std::chrono::seconds>(failed.retry_at - now);
  return later("this target could not be read: " + failed.reason +
                   ". A probe tries it again after " + std::to_string(left.count()) + " s",
               left);
}

bool names(const TargetConfig& entry, const std::string& key) {
  return std::ranges::any_of(entry.hosts, [&](const std::string& name) {
    return is_host_pattern(name) ? matches_host(host_key(name), key) : host_key(name) == key;
  });
}

}  // namespace

const TargetConfig* entry_by_pattern(const Config& config,
                                     const std::pair<std::string, std::string>& key) {
  const auto matches = [&](const std::string& pattern) {
    return is_host_pattern(pattern) && matches_host(host_key(pattern), key.first);
  };
  const auto found = std::ranges::find_if(config.targets, [&](const TargetConfig& entry) {
    return entry.module == key.second && std::ranges::any_of(entry.hosts, matches);
  });
  return found == config.targets.end() ? nullptr : &*found;
}

ProbeAnswer TargetPool::probe(std::string_view host, std::string_view module,
                              const NetAddress& asker) {
  const auto name = machine_name(host);
  if (!name)
    return refusal(400, "what was given as the target can't be a machine's name: " + name.error());
  const Key key{host_key(*name), std::string(module)};
  const std::lock_guard lock(mutex_);
  if (is_stopped_) return refusal(503, "this program is stopping");
  auto target = find(key);
  if (target == nullptr) return first_probe(key, asker);
  target->note_probe(tools_.clocks.steady_now());
  if (!target->state().is_up || target->is_on_trial())
    return later("this target has not been sampled yet");
  // The page lives as long as somebody uses it.
  return {.page = std::shared_ptr<MetricsPage>(target, &target->page())};
}

ProbeAnswer TargetPool::first_probe(const Key& key, const NetAddress& asker) {
  if (config_.targets.empty())
    return refusal(404, "no targets are configured; see targets in the configuration");
  if (std::ranges::none_of(config_.targets,
                           [&](const TargetConfig& entry) { return names(entry, key.first); }))
    return refusal(403, "this target is not in the configuration, and only those are read");
  const TargetConfig* const entry = entry_by_pattern(config_, key);
  if (entry == nullptr) return refusal(404, "this target has no such module");
  const SteadyTime now = tools_.clocks.steady_now();
  if (const FailedProbe* const failed = failed_.waiting(key, now)) return of_failed(*failed, now);
  const NetAddress network = network_of(asker);
  if (!make_place(network)) {
    ++ever_.ever_refused;
    return later("too many targets are probed that only a pattern names");
  }
  auto description = describe_target(config_, *entry, key.first, false);
  description.network = network;
  add(std::move(description), now)->note_probe(now);
  last_trial_ = now;
  return later("this target is being sampled from now on");
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
  // Of whoever has the most, the one that came last, which has probably not begun. Never so that
  // the two change places for ever.
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

TargetsReport TargetPool::report() const {
  const std::lock_guard lock(mutex_);
  TargetsReport report;
  for (const auto& [key, target] : targets_)
    if (!target->is_on_trial()) report.targets.push_back(target->state());
  for (const Lanes& lanes : lanes_)
    for (const auto& lane : lanes) report.workers.push_back(lane->worker_state());
  const auto has_pattern = [](const TargetConfig& entry) {
    return std::ranges::any_of(entry.hosts, is_host_pattern);
  };
  if (std::ranges::any_of(config_.targets, has_pattern)) report.probed = counted();
  return report;
}

}  // namespace winperf
