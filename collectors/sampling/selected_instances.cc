#include "collectors/sampling/selected_instances.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <functional>
#include <random>
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

namespace {

// Eight characters with their ASCII letters in lower case.
std::uint64_t lower_eight(std::uint64_t some) {
  constexpr std::uint64_t kEach = 0x0101'0101'0101'0101;
  const std::uint64_t seven_bits = some & (0x7F * kEach);
  const std::uint64_t from_a = seven_bits + (0x80 - 'A') * kEach;
  const std::uint64_t after_z = seven_bits + (0x7F - 'Z') * kEach;
  const std::uint64_t capitals = ~some & (from_a ^ after_z) & (0x80 * kEach);
  return some | (capitals >> 2U);
}

// The same whatever the case of letters. Seeded, because names come from providers.
std::uint64_t hash_of(std::string_view name, std::uint64_t hash) {
  constexpr std::uint64_t kOdd = 0x9E37'79B9'7F4A'7C15;
  for (std::size_t at = 0; at < name.size(); at += sizeof hash) {
    std::uint64_t some = 0;
    std::memcpy(&some, name.data() + at, std::min(sizeof some, name.size() - at));
    hash = (hash ^ (hash >> 29U) ^ lower_eight(some)) * kOdd;
  }
  return hash;
}

}  // namespace

std::uint64_t name_hash(const InstanceSchema& instance) {
  static const std::uint64_t kSeed = std::random_device()();
  const std::uint64_t parent = hash_of(instance.parent, kSeed + instance.parent.size());
  return hash_of(instance.name, parent + instance.name.size());
}

namespace {

// The last instance of each name so far: a hash table with room for twice as many.
class LastOfName {
 public:
  explicit LastOfName(std::span<InstanceSchema> instances)
      : instances_(instances), places_(std::bit_ceil(2 * instances.size() + 2), kNewInstance) {}

  // The one before this one, or kNewInstance. `hash`: of its name.
  std::uint32_t replace(std::uint32_t row, std::uint64_t hash) {
    const InstanceSchema& instance = instances_[row];
    // The highest bits depend on all characters.
    const int bits = std::countr_zero(places_.size());
    std::size_t place = static_cast<std::size_t>(hash >> (64 - bits));
    while (true) {
      std::uint32_t& last = places_[place++ & (places_.size() - 1)];
      if (last == kNewInstance || is_same(instances_[last], instance))
        return std::exchange(last, row);
    }
  }

 private:
  static bool is_same(const InstanceSchema& a, const InstanceSchema& b) {
    return equal_names(a.name, b.name) && equal_names(a.parent, b.parent);
  }

  std::span<InstanceSchema> instances_;
  std::vector<std::uint32_t> places_;
};

}  // namespace

void number_duplicates(std::span<InstanceSchema> instances, std::span<const std::uint64_t> hashes) {
  LastOfName names(instances);
  for (std::uint32_t row = 0; row < instances.size(); ++row) {
    const std::uint32_t before = names.replace(row, hashes[row]);
    instances[row].duplicate = before == kNewInstance ? 0 : instances[before].duplicate + 1;
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

RawIdentity stable(RawIdentity identity) {
  identity.started = start_of(identity);
  return identity;
}

bool accepts(const Selection& selection, const CountersetSchema& schema,
             const InstanceSchema& instance) {
  if (selection.instance_id && instance.unique_id != selection.instance_id) return false;
  if (!selection.instances) return true;
  return selection.by_display_name ? selection.instances(display_name(instance))
                                   : selection.instances(name_to_select(schema, instance));
}

void SelectedInstances::select(std::vector<InstanceSchema> all, const CountersetSchema& schema,
                               const Selection& selection, std::span<const std::uint32_t> places) {
  if (schema.path != CounterPath::kLog) {
    hashes_ = hashes_of(all, places);
    number_duplicates(all, hashes_);
  }
  auto set = std::make_shared<InstanceSet>();
  positions_.clear();
  std::vector<std::uint32_t> rows(all.size(), kNewInstance);
  for (std::uint32_t position = 0; position < all.size(); ++position) {
    if (!accepts(selection, schema, all[position])) continue;
    rows[position] = static_cast<std::uint32_t>(positions_.size());
    positions_.push_back(position);
  }
  if (positions_.size() == all.size()) {
    set->instances = std::move(all);
  } else {
    for (const std::uint32_t position : positions_)
      set->instances.push_back(std::move(all[position]));
  }
  if (selection.labels)
    for (InstanceSchema& selected : set->instances)
      selected.labels = selection.labels(name_to_select(schema, selected));
  keep_owners(set->instances, *set_);
  std::vector<std::uint32_t> rows_before =
      places.empty() ? std::vector<std::uint32_t>() : continued_rows(*set, places);
  rows_ = std::move(rows);
  if (set->instances == set_->instances) return;
  before_ = set_;
  rows_before_ = std::move(rows_before);
  set_ = std::move(set);
}

std::vector<std::uint64_t> SelectedInstances::hashes_of(
    std::span<const InstanceSchema> all, std::span<const std::uint32_t> places) const {
  std::vector<std::uint64_t> hashes(all.size());
  for (std::size_t position = 0; position < all.size(); ++position) {
    const std::uint32_t before = places.empty() ? kNewInstance : places[position];
    hashes[position] = before < hashes_.size() ? hashes_[before] : name_hash(all[position]);
  }
  return hashes;
}

const InstanceSchema* SelectedInstances::at_position(std::uint32_t position) const {
  if (position >= rows_.size() || rows_[position] == kNewInstance) return nullptr;
  return &set_->instances[rows_[position]];
}

// Instances of one name that nothing else tells apart are matched in list order, so their places
// don't count.
bool has_namesakes(const InstanceSet& set) {
  return std::ranges::any_of(set.instances, [](const InstanceSchema& instance) {
    return instance.duplicate != 0 && !instance.process_id && !instance.thread_id;
  });
}

// By the places; the others, which the provider describes in another way than before or are new, by
// their names.
std::vector<std::uint32_t> SelectedInstances::continued_rows(
    const InstanceSet& now, std::span<const std::uint32_t> places) const {
  if (has_namesakes(*set_) || has_namesakes(now))
    return match_instances(set_->instances, now.instances);
  std::vector<std::uint32_t> rows;
  std::vector<std::uint32_t> new_rows;
  std::vector<InstanceSchema> new_ones;
  std::vector<bool> taken(set_->instances.size(), false);
  for (const std::uint32_t position : positions_) {
    const std::uint32_t place = places[position];
    const std::uint32_t before = place < rows_.size() ? rows_[place] : kNewInstance;
    if (before != kNewInstance) {
      taken[before] = true;
    } else {
      new_rows.push_back(static_cast<std::uint32_t>(rows.size()));
      new_ones.push_back(now.instances[rows.size()]);
    }
    rows.push_back(before);
  }
  if (new_rows.empty()) return rows;
  std::vector<std::uint32_t> old_rows;
  std::vector<InstanceSchema> old_ones;
  for (std::uint32_t row = 0; row < taken.size(); ++row) {
    if (taken[row]) continue;
    old_rows.push_back(row);
    old_ones.push_back(set_->instances[row]);
  }
  const std::vector<std::uint32_t> matched = match_instances(old_ones, new_ones);
  for (std::size_t i = 0; i < matched.size(); ++i)
    if (matched[i] != kNewInstance) rows[new_rows[i]] = old_rows[matched[i]];
  return rows;
}

std::vector<std::uint32_t> SelectedInstances::rows_in(
    const std::shared_ptr<const InstanceSet>& before) const {
  if (!rows_before_.empty() && before_.lock() == before) return rows_before_;
  return match_instances(before->instances, set_->instances);
}

void SelectedInstances::clear() {
  hashes_.clear();
  positions_.clear();
  rows_.clear();
  rows_before_.clear();
  if (!set_->instances.empty()) set_ = std::make_shared<InstanceSet>();
}

}  // namespace winperf
