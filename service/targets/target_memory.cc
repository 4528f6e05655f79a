#include "service/targets/target_memory.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <set>
#include <utility>

#include "config/hosts.h"
#include "exporter/text/exporter_registry.h"

namespace winperf {

void TargetMemory::change_budget(std::size_t bytes) {
  const std::lock_guard lock(mutex_);
  recorder_.change_budget(bytes);
}

void TargetMemory::add(const Sample& sample) {
  const std::lock_guard lock(mutex_);
  recorder_.add(sample);
}

std::vector<RecordedTarget> recorded_targets(const Config& config) {
  const auto is_recorded = [&](const std::string& key) {
    return std::ranges::any_of(config.recorder.targets, [&](const std::string& name) {
      return matches_host(host_key(name), key);
    });
  };
  std::vector<RecordedTarget> recorded;
  std::set<std::pair<std::string, std::string>> known;
  for (const TargetConfig& entry : config.targets)
    for (const std::string& host : entry.hosts) {
      std::string key = host_key(host);
      if (is_host_pattern(host) || !is_recorded(key)) continue;
      if (known.emplace(key, entry.module).second)
        recorded.push_back({.host = std::move(key), .module = entry.module});
    }
  return recorded;
}

std::size_t recorder_budget(const Config& config) {
  constexpr std::uint64_t kUnknown = std::numeric_limits<std::uint64_t>::max();
  const std::uint64_t machine = machine_memory().value_or(kUnknown);
  return config.recorder.memory_bytes.value_or(recorder::default_budget(machine));
}

std::size_t recorder_share(const Config& config) {
  return recorder_budget(config) / (1 + recorded_targets(config).size());
}

}  // namespace winperf
