#include "collectors/sampling/selected_instances.h"

#include <algorithm>
#include <array>
#include <bit>
#include <functional>
#include <span>
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

}  // namespace

std::vector<std::uint32_t> match_instances(std::span<const InstanceSchema> previous,
                                           std::span<const InstanceSchema> current) {
  std::vector<std::uint32_t> match(current.size(), kNewInstance);
  std::vector<bool> taken(previous.size(), false);
  // Of those that haven't been matched yet.
  const auto add = [&](auto key_of, auto may_give, auto may_take) {
    Chains chains(previous.size());
    for (std::uint32_t row = 0; row < previous.size(); ++row)
      if (!taken[row] && may_give(previous[row])) chains.add(key_of(previous[row]), row);
    for (std::size_t row = 0; row < current.size(); ++row) {
      if (match[row] != kNewInstance || !may_take(current[row])) continue;
      match[row] = chains.take(key_of(current[row]));
      if (match[row] != kNewInstance) taken[match[row]] = true;
    }
  };
  const auto any = [](const InstanceSchema&) { return true; };
  if (std::ranges::none_of(previous, has_owner) && std::ranges::none_of(current, has_owner)) {
    add(identity_of, any, any);
    return match;
  }
  add(identity_with_owner, any, any);
  // An owner that appears, or becomes unknown, doesn't make a new instance.
  add(identity_of, std::not_fn(has_owner), any);
  add(identity_of, any, std::not_fn(has_owner));
  return match;
}

void number_duplicates(std::span<InstanceSchema> instances) {
  std::unordered_map<std::string, std::uint32_t> seen;
  seen.reserve(instances.size());
  for (InstanceSchema& instance : instances) {
    instance.duplicate = seen[ascii_lower(instance.parent + '\0' + instance.name)]++;
  }
}

namespace {

std::string_view name_to_select(const CountersetSchema& schema, const InstanceSchema& instance) {
  const std::string_view name = instance.name;
  const std::size_t hash = name.rfind('#');
  if (schema.path != CounterPath::kLog || hash == std::string_view::npos || hash == 0) return name;
  const std::string_view number = name.substr(hash + 1);
  const bool numbered =
      !number.empty() && number.find_first_not_of("0123456789") == std::string_view::npos;
  return numbered ? name.substr(0, hash) : name;
}

// Keeps the owner of an instance while its provider reports none or 0.
void keep_owners(std::span<InstanceSchema> instances, const InstanceSet& before) {
  if (std::ranges::none_of(before.instances, has_owner)) return;
  const std::vector<std::uint32_t> rows = match_instances(before.instances, instances);
  for (std::size_t row = 0; row < instances.size(); ++row)
    if (!instances[row].owner && rows[row] != kNewInstance)
      instances[row].owner = before.instances[rows[row]].owner;
}

// Without a process id ("Idle", "_Total") the start time may change with every sample, so it
// identifies nothing.
std::optional<std::uint64_t> start_of(const RawIdentity& identity) {
  return identity.process_id.value_or(0) != 0 ? identity.started : std::nullopt;
}

}  // namespace

void set_identity(InstanceSchema& instance, const RawIdentity& identity) {
  instance.process_id = identity.process_id;
  instance.thread_id = identity.thread_id;
  if (identity.owner.value_or(0) != 0) instance.owner = identity.owner;
  instance.started = start_of(identity);
}

void append_identity(std::vector<std::byte>& bytes, const RawIdentity& identity) {
  for (const auto& value :
       {identity.process_id, identity.thread_id, identity.owner, start_of(identity)}) {
    const auto number = std::bit_cast<std::array<std::byte, sizeof(*value)>>(value.value_or(0));
    bytes.push_back(std::byte{value.has_value()});
    bytes.insert(bytes.end(), number.begin(), number.end());
  }
}

bool accepts(const Selection& selection, const CountersetSchema& schema,
             const InstanceSchema& instance) {
  if (selection.instance_id && instance.unique_id != selection.instance_id) return false;
  if (!selection.instances) return true;
  return selection.by_display_name ? selection.instances(display_name(instance))
                                   : selection.instances(name_to_select(schema, instance));
}

void SelectedInstances::select(std::vector<InstanceSchema> all, const CountersetSchema& schema,
                               const Selection& selection) {
  if (schema.path != CounterPath::kLog) number_duplicates(all);
  auto set = std::make_shared<InstanceSet>();
  positions_.clear();
  for (std::uint32_t position = 0; position < all.size(); ++position) {
    const InstanceSchema& instance = all[position];
    if (!accepts(selection, schema, instance)) continue;
    positions_.push_back(position);
    InstanceSchema& selected = set->instances.emplace_back(std::move(all[position]));
    if (selection.labels) selected.labels = selection.labels(name_to_select(schema, selected));
  }
  keep_owners(set->instances, *set_);
  if (set->instances != set_->instances) set_ = std::move(set);
}

void SelectedInstances::clear() {
  positions_.clear();
  if (!set_->instances.empty()) set_ = std::make_shared<InstanceSet>();
}

}  // namespace winperf
