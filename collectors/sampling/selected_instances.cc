#include "collectors/sampling/selected_instances.h"

#include <algorithm>
#include <array>
#include <bit>
#include <span>
#include <utility>

#include "collectors/sampling/instance_matcher.h"

namespace winperf {
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

// Whose an instance is stays known while its provider says nothing or 0.
void keep_owners(std::span<InstanceSchema> instances, const InstanceSet& before) {
  const bool matters = std::ranges::any_of(
      before.instances, [](const InstanceSchema& instance) { return instance.owner.has_value(); });
  if (!matters) return;
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
