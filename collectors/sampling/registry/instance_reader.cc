#include "collectors/sampling/registry/instance_reader.h"

#include <cstring>
#include <utility>

#include "collectors/sampling/instance_matcher.h"

namespace winperf {
namespace {

std::optional<std::uint64_t> value_in(const CounterBlockView& block,
                                      const std::optional<CounterDefinition>& counter) {
  if (!counter) return std::nullopt;
  const auto value = block.read(*counter);
  return value ? std::optional(*value) : std::nullopt;
}

void append(std::vector<std::byte>& bytes, std::span<const std::byte> more) {
  bytes.insert(bytes.end(), more.begin(), more.end());
}

void append(std::vector<std::byte>& bytes, const std::optional<std::uint64_t>& value) {
  const std::uint64_t number = value.value_or(0);
  const auto* const first = reinterpret_cast<const std::byte*>(&number);
  bytes.push_back(static_cast<std::byte>(value.has_value()));
  bytes.insert(bytes.end(), first, first + sizeof number);
}

std::optional<std::uint64_t> started_of(const InstanceView& instance, const ObjectLayout& layout) {
  // Without a process id ("Idle", "_Total") the start time may move with every sample.
  const auto process_id = value_in(instance.block(), layout.process_id);
  if (process_id.value_or(0) == 0) return std::nullopt;
  return value_in(instance.block(), layout.started);
}

InstanceSchema schema_of(const InstanceView& instance, const ObjectLayout& layout,
                         ParentNames& parents) {
  InstanceSchema schema;
  schema.name = instance.name().text;
  if (instance.parent_object() != ObjectIndex{})
    schema.parent = parents.name(instance.parent_object(), instance.parent_position());
  schema.unique_id = instance.unique_id();
  if (schema.name.empty() && schema.unique_id) schema.name = std::to_string(*schema.unique_id);
  schema.process_id = value_in(instance.block(), layout.process_id);
  schema.thread_id = value_in(instance.block(), layout.thread_id);
  schema.started = started_of(instance, layout);
  return schema;
}

}  // namespace

InstanceRows InstanceReader::read(const ObjectView& object, const ObjectLayout& layout,
                                  ParentNames& parents, const Selection& selection,
                                  std::vector<Error>& problems) {
  if (!object.multi_instance()) {
    const auto block = object.single_block();
    if (block) return {set_, {*block}};
    problems.push_back(block.error());
    return {set_, {}};
  }

  std::vector<InstanceView> instances;
  std::vector<std::byte> fingerprint;
  fingerprint.reserve(fingerprint_.size());
  bool any_parent = false;
  InstanceWalk walk = object.instances();
  while (const auto instance = walk.next()) {
    if (!*instance) {
      problems.push_back(instance->error());
      break;
    }
    append(fingerprint, (*instance)->definition_bytes());
    append(fingerprint, value_in((*instance)->block(), layout.process_id));
    append(fingerprint, value_in((*instance)->block(), layout.thread_id));
    append(fingerprint, started_of(**instance, layout));
    any_parent = any_parent || (*instance)->parent_object() != ObjectIndex{};
    instances.push_back(**instance);
  }

  // Parents are named by position, so the same bytes may mean another parent.
  if (any_parent || fingerprint != fingerprint_) {
    fingerprint_ = std::move(fingerprint);
    build_set(instances, layout, parents, selection);
  }
  InstanceRows rows;
  rows.set = set_;
  rows.blocks.reserve(selected_.size());
  for (const std::uint32_t position : selected_) rows.blocks.push_back(instances[position].block());
  return rows;
}

void InstanceReader::build_set(const std::vector<InstanceView>& instances,
                               const ObjectLayout& layout, ParentNames& parents,
                               const Selection& selection) {
  std::vector<InstanceSchema> all;
  all.reserve(instances.size());
  for (const InstanceView& instance : instances) {
    all.push_back(schema_of(instance, layout, parents));
    all.back().ordinal = static_cast<std::uint32_t>(all.size() - 1);
  }
  // Numbered before the selection, so that "#n" does not depend on it.
  number_duplicates(all);

  auto set = std::make_shared<InstanceSet>();
  selected_.clear();
  for (InstanceSchema& instance : all) {
    if (selection.instance_id && instance.unique_id != selection.instance_id) continue;
    if (selection.instances && !selection.instances(instance.name)) continue;
    selected_.push_back(instance.ordinal);
    set->instances.push_back(std::move(instance));
  }
  if (set->instances != set_->instances) set_ = std::move(set);
}

}  // namespace winperf
