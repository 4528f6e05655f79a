#include "collectors/sampling/instance_matcher.h"

#include <algorithm>
#include <functional>
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

std::string identity_with_owner(const InstanceSchema& instance) {
  std::string key = identity_of(instance);
  append_id(key, instance.owner);
  return key;
}

bool has_owner(const InstanceSchema& instance) { return instance.owner.has_value(); }

// Rows with the same key form a chain in list order: first[key], then next[row].
class Chains {
 public:
  explicit Chains(std::size_t rows) : next_(rows, kNewInstance) { ends_.reserve(rows); }

  void add(std::string key, std::uint32_t row) {
    const auto [entry, is_first] = ends_.try_emplace(std::move(key), row, row);
    if (is_first) return;
    next_[entry->second.second] = row;
    entry->second.second = row;
  }

  // The first row of the chain that hasn't been taken.
  std::uint32_t take(const std::string& key) {
    const auto entry = ends_.find(key);
    if (entry == ends_.end() || entry->second.first == kNewInstance) return kNewInstance;
    const std::uint32_t row = entry->second.first;
    entry->second.first = next_[row];
    return row;
  }

 private:
  std::unordered_map<std::string, std::pair<std::uint32_t, std::uint32_t>> ends_;
  std::vector<std::uint32_t> next_;
};

class Matching {
 public:
  Matching(std::span<const InstanceSchema> previous, std::span<const InstanceSchema> current)
      : previous_(previous),
        current_(current),
        match_(current.size(), kNewInstance),
        taken_(previous.size(), false) {}

  // Of those that haven't been matched yet.
  void add(auto key_of, auto may_give, auto may_take) {
    Chains chains(previous_.size());
    for (std::uint32_t row = 0; row < previous_.size(); ++row)
      if (!taken_[row] && may_give(previous_[row])) chains.add(key_of(previous_[row]), row);
    for (std::size_t row = 0; row < current_.size(); ++row) {
      if (match_[row] != kNewInstance || !may_take(current_[row])) continue;
      match_[row] = chains.take(key_of(current_[row]));
      if (match_[row] != kNewInstance) taken_[match_[row]] = true;
    }
  }

  std::vector<std::uint32_t> take() { return std::move(match_); }

 private:
  std::span<const InstanceSchema> previous_;
  std::span<const InstanceSchema> current_;
  std::vector<std::uint32_t> match_;
  std::vector<bool> taken_;
};

}  // namespace

std::vector<std::uint32_t> match_instances(std::span<const InstanceSchema> previous,
                                           std::span<const InstanceSchema> current) {
  const auto any = [](const InstanceSchema&) { return true; };
  Matching matching(previous, current);
  if (std::ranges::none_of(previous, has_owner) && std::ranges::none_of(current, has_owner)) {
    matching.add(identity_of, any, any);
    return matching.take();
  }
  matching.add(identity_with_owner, any, any);
  // An owner that appears, or isn't known any more, begins no new life.
  matching.add(identity_of, std::not_fn(has_owner), any);
  matching.add(identity_of, any, std::not_fn(has_owner));
  return matching.take();
}

void number_duplicates(std::span<InstanceSchema> instances) {
  std::unordered_map<std::string, std::uint32_t> seen;
  seen.reserve(instances.size());
  for (InstanceSchema& instance : instances) {
    instance.duplicate = seen[ascii_lower(instance.parent + '\0' + instance.name)]++;
  }
}

}  // namespace winperf
