#include "collectors/sampling/instance_matcher.h"

#include <string>
#include <unordered_map>
#include <utility>

#include "collectors/base/ascii.h"

namespace winperf {
namespace {

template <class Integer>
void append_id(std::string& key, const std::optional<Integer>& id) {
  // NUL cannot be part of a name, so keys of different parts never run into each other.
  key += '\0';
  if (id) key += std::to_string(*id);
}

std::string identity_of(const InstanceSchema& instance) {
  std::string key = instance.parent;
  key += '\0';
  key += instance.name;
  append_id(key, instance.unique_id);
  append_id(key, instance.process_id);
  append_id(key, instance.thread_id);
  append_id(key, instance.started);
  return key;
}

}  // namespace

std::vector<std::uint32_t> match_instances(std::span<const InstanceSchema> previous,
                                           std::span<const InstanceSchema> current) {
  // Rows with the same identity form a chain in list order: first[identity], then next[row].
  std::unordered_map<std::string, std::pair<std::uint32_t, std::uint32_t>> first_and_last;
  first_and_last.reserve(previous.size());
  std::vector<std::uint32_t> next(previous.size(), kNewInstance);
  for (std::uint32_t row = 0; row < previous.size(); ++row) {
    const auto [entry, is_first] = first_and_last.try_emplace(identity_of(previous[row]), row, row);
    if (is_first) continue;
    next[entry->second.second] = row;
    entry->second.second = row;
  }

  std::vector<std::uint32_t> match(current.size(), kNewInstance);
  for (std::size_t row = 0; row < current.size(); ++row) {
    const auto entry = first_and_last.find(identity_of(current[row]));
    if (entry == first_and_last.end() || entry->second.first == kNewInstance) continue;
    match[row] = entry->second.first;
    entry->second.first = next[match[row]];
  }
  return match;
}

void number_duplicates(std::span<InstanceSchema> instances) {
  std::unordered_map<std::string, std::uint32_t> seen;
  seen.reserve(instances.size());
  for (InstanceSchema& instance : instances) {
    instance.duplicate = seen[ascii_lower(instance.parent + '\0' + instance.name)]++;
  }
}

}  // namespace winperf
