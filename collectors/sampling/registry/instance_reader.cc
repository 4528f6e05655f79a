#include "collectors/sampling/registry/instance_reader.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace winperf {
namespace {

struct Walked {
  std::vector<InstanceView> instances;
  std::vector<std::byte> fingerprint;  // equal for lists that give equal instances
  bool any_parent = false;
  std::optional<Error> cut_short;
};

Walked walk(const ObjectView& object, const ObjectLayout& layout, std::size_t fingerprint_bytes) {
  Walked walked;
  walked.fingerprint.reserve(fingerprint_bytes);
  InstanceWalk instances = object.instances();
  while (const auto instance = instances.next()) {
    if (!*instance) {
      walked.cut_short = instance->error();
      break;
    }
    std::ranges::copy((*instance)->definition_bytes(), std::back_inserter(walked.fingerprint));
    append_identity(walked.fingerprint, layout.identity.values(values_in((*instance)->block())));
    walked.any_parent = walked.any_parent || (*instance)->parent_object() != ObjectIndex{};
    walked.instances.push_back(**instance);
  }
  return walked;
}

// An instance without what the values of identity counters say of it.
InstanceSchema schema_of(const InstanceView& instance, ParentNames& parents) {
  InstanceSchema schema;
  schema.name = instance.name().text;
  if (instance.parent_object() != ObjectIndex{})
    schema.parent = parents.name(instance.parent_object(), instance.parent_position());
  schema.unique_id = instance.unique_id();
  if (schema.name.empty() && schema.unique_id) schema.name = std::to_string(*schema.unique_id);
  return schema;
}

std::vector<InstanceSchema> schemas_of(const std::vector<InstanceView>& instances,
                                       const ObjectLayout& layout, ParentNames& parents) {
  std::vector<InstanceSchema> all;
  all.reserve(instances.size());
  for (const InstanceView& instance : instances) {
    all.push_back(schema_of(instance, parents));
    set_identity(all.back(), layout.identity.values(values_in(instance.block())));
    all.back().ordinal = static_cast<std::uint32_t>(all.size() - 1);
  }
  return all;
}

}  // namespace

std::string_view ParentNames::name(ObjectIndex parent_object, std::uint32_t position) {
  const auto [entry, is_new] = names_.try_emplace(parent_object);
  if (is_new) entry->second = read(parent_object);
  const Names& names = entry->second;
  if (position < names.all.size()) return names.all[position];
  if (!problem_) problem_ = names.cut_short;
  return {};
}

ParentNames::Names ParentNames::read(ObjectIndex parent_object) const {
  Names names;
  const auto parent = std::ranges::find(block_, parent_object, &ObjectView::index);
  if (parent == block_.end()) return names;
  InstanceWalk instances = parent->instances();
  while (const auto instance = instances.next()) {
    if (*instance)
      names.all.push_back((*instance)->name().text);
    else
      names.cut_short = instance->error();
  }
  return names;
}

std::expected<InstanceRows, Error> InstanceReader::read(const ObjectView& object,
                                                        const ObjectLayout& layout,
                                                        ParentNames& parents,
                                                        const Selection& selection) {
  InstanceRows rows;
  if (!object.multi_instance()) {
    const auto block = object.single_block();
    if (!block) return std::unexpected(block.error());
    rows.set = instances_.set();
    rows.blocks.push_back(*block);
    return rows;
  }

  Walked walked = walk(object, layout, fingerprint_.size());
  if (walked.instances.empty() && walked.cut_short) return std::unexpected(*walked.cut_short);
  rows.cut_short = walked.cut_short;
  // Parents are named by position, so the same bytes may mean another parent.
  if (walked.any_parent || walked.fingerprint != fingerprint_) {
    fingerprint_ = std::move(walked.fingerprint);
    instances_.select(schemas_of(walked.instances, layout, parents), *layout.schema, selection);
    rows.nameless_parent = parents.take_problem();
  }
  rows.set = instances_.set();
  rows.blocks.reserve(instances_.positions().size());
  for (const std::uint32_t position : instances_.positions())
    rows.blocks.push_back(walked.instances[position].block());
  return rows;
}

}  // namespace winperf
