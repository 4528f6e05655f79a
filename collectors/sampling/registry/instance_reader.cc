#include "collectors/sampling/registry/instance_reader.h"

#include <algorithm>

namespace winperf {

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

namespace {

// An instance without the values of its identity counters.
InstanceSchema schema_of(const InstanceView& instance, ParentNames& parents) {
  InstanceSchema schema;
  schema.name = instance.name().text;
  if (instance.parent_object() != ObjectIndex{})
    schema.parent = parents.name(instance.parent_object(), instance.parent_position());
  schema.unique_id = instance.unique_id();
  if (schema.name.empty() && schema.unique_id) schema.name = std::to_string(*schema.unique_id);
  return schema;
}

RawIdentity raw_identity_of(const Identity<CounterDefinition>& identity,
                            const InstanceBytes& bytes) {
  return stable(identity.values(values_in(CounterBlockView::of(bytes.block))));
}

}  // namespace

// The schema of an instance that was at this place of the list before, if it was selected.
const InstanceSchema* InstanceReader::schema_before(std::uint32_t place) const {
  return place == kNewInstance ? nullptr : instances_.at_position(place);
}

// Parents are named by position, so the same bytes may mean another parent.
bool InstanceReader::has_its_parent(const InstanceBytes& instance, std::uint32_t place,
                                    ParentNames& parents) const {
  const InstanceSchema* const known = schema_before(place);
  return known != nullptr &&
         known->parent == parents.name(instance.parent_object(), instance.parent_position());
}

InstanceReader::Walked InstanceReader::walk(const ObjectView& object,
                                            const Identity<CounterDefinition>& identity,
                                            ParentNames& parents) {
  Walked walked;
  bool has_new = false;
  if (object.told_code_page() != code_page_) known_.forget();
  code_page_ = object.told_code_page();
  const bool has_identity = identity.any();
  RawIdentity values;
  known_.begin(has_identity);
  all_.clear();
  places_.clear();
  InstanceWalk list = object.undecoded_instances();
  std::optional<std::uint32_t> code_page;
  while (true) {
    const auto bytes = list.next_bytes();
    if (!bytes) {
      if (const auto unsound = list.next()) walked.cut_short = unsound->error();
      break;
    }
    if (has_identity) values = raw_identity_of(identity, *bytes);
    std::uint32_t place = known_.add(bytes->definition, has_identity ? &values : nullptr);
    if (place != kNewInstance && bytes->parent_object() != ObjectIndex{} &&
        !has_its_parent(*bytes, place, parents))
      place = kNewInstance;
    if (place == kNewInstance) {
      if (!code_page) code_page = object.code_page();
      // Names tell it, so a new one may change how the known ones are decoded.
      if (std::exchange(decoded_page_, *code_page) != *code_page) {
        known_.forget();
        return walk(object, identity, parents);
      }
      const auto instance = list.view(*bytes, *code_page);
      if (!instance) {
        walked.cut_short = instance.error();
        break;
      }
      has_new = true;
    }
    all_.add(bytes->block);
    places_.push_back(place);
  }
  if (walked.cut_short)
    known_.forget();
  else
    walked.is_same = known_.end() && !has_new;
  return walked;
}

// Of the list that walk() has walked.
std::vector<InstanceSchema> InstanceReader::schemas_of(const ObjectView& object,
                                                       const Identity<CounterDefinition>& identity,
                                                       ParentNames& parents) const {
  InstanceWalk list = object.undecoded_instances();
  const std::uint32_t code_page = object.code_page();
  std::vector<InstanceSchema> all;
  all.reserve(places_.size());
  for (const std::uint32_t place : places_) {
    const auto bytes = list.next_bytes();
    if (const InstanceSchema* const before = schema_before(place))
      all.push_back(*before);
    else
      set_identity(all.emplace_back(schema_of(*list.view(*bytes, code_page), parents)),
                   raw_identity_of(identity, *bytes));
    all.back().ordinal = static_cast<std::uint32_t>(all.size() - 1);
  }
  return all;
}

std::expected<InstanceRows, Error> InstanceReader::read(const ObjectView& object,
                                                        const Identity<CounterDefinition>& identity,
                                                        const CountersetSchema& schema,
                                                        ParentNames& parents,
                                                        const Selection& selection) {
  InstanceRows rows;
  if (!object.multi_instance()) {
    const auto block = object.single_block();
    if (!block) return std::unexpected(block.error());
    all_.clear();
    all_.add(block->bytes());
    rows.set = instances_.set();
    rows.blocks = &all_;
    return rows;
  }

  const Walked walked = walk(object, identity, parents);
  if (all_.size() == 0 && walked.cut_short) return std::unexpected(*walked.cut_short);
  rows.cut_short = walked.cut_short;
  if (!walked.is_same)
    instances_.select(schemas_of(object, identity, parents), schema, selection, places_);
  rows.nameless_parent = parents.take_problem();
  rows.set = instances_.set();
  rows.blocks = &all_;
  if (instances_.positions().size() != all_.size()) {
    some_.select_from(all_, instances_.positions());
    rows.blocks = &some_;
  }
  return rows;
}

}  // namespace winperf
