#include "collectors/sampling/registry/object_sampler.h"

#include <algorithm>
#include <iterator>
#include <set>
#include <string>
#include <utility>

#include "collectors/base/ascii.h"

namespace winperf {
namespace {

// If the name table is corrupt, the counters of the base system are still known by their indices,
// which are fixed.
bool is_identity(const CounterSchema& counter, std::string_view name) {
  constexpr CounterIndex kProcessId{784};
  constexpr CounterIndex kThreadId{804};
  if (!counter.name.empty()) return counter.name == name;
  return counter.index == (name == kThreadIdName ? kThreadId : kProcessId);
}

CounterSchema make_schema(const CounterDefinition& definition, const Catalog& catalog) {
  return {.index = definition.index,
          .help_index = definition.help_index,
          .name = std::string(catalog.counter_name(definition.index)),
          .local_name = std::string(catalog.local_counter_name(definition.index)),
          .help = std::string(catalog.help(definition.help_index)),
          .type = definition.type,
          .size = definition.size,
          .default_scale = definition.default_scale,
          .detail_level = definition.detail_level};
}

// The definition after `position`, if its type makes it the base of the one at `position`.
const CounterDefinition* base_of(const std::vector<CounterDefinition>& definitions,
                                 std::size_t position, const CounterTypeInfo& info) {
  if (info.base == BaseKind::kNone || position + 1 >= definitions.size()) return nullptr;
  const CounterDefinition& next = definitions[position + 1];
  return is_base_of(info.base, next.type) ? &next : nullptr;
}

// Whether its provider has registered no name for it, as Windows itself does with bases and
// internal counters, rather than the name being lost.
bool is_nameless(const Catalog& catalog, const CounterSchema& counter) {
  return value_of(counter.index) != 0 && counter.local_name.empty() &&
         catalog.is_gap(counter.index);
}

Error unknown(std::uint32_t index, const char* where) {
  return {.code = ErrorCode::kUnknownIndex, .where = where, .actual = index};
}

std::shared_ptr<CountersetSchema> make_schema(const ObjectView& object, const Catalog& catalog) {
  auto schema = std::make_shared<CountersetSchema>();
  schema->machine = catalog.machine();
  schema->index = object.index();
  schema->help_index = object.help_index();
  schema->name = catalog.object_name(object.index());
  schema->help = catalog.help(object.help_index());
  schema->detail_level = object.detail_level();
  schema->multi_instance = object.multi_instance();
  return schema;
}

}  // namespace

ObjectLayout build_layout(const ObjectView& object, const Catalog& catalog,
                          const Selection& selection) {
  ObjectLayout layout;
  auto schema = make_schema(object, catalog);
  if (schema->name.empty()) layout.problems.push_back(unknown(value_of(object.index()), "object"));

  const CounterDefinitions definitions = object.counters();
  layout.damage = definitions.problem;
  layout.has_counters = !definitions.all.empty();
  if (definitions.problem && layout.has_counters) layout.problems.push_back(*definitions.problem);
  const bool names_others =
      std::ranges::any_of(definitions.all, [&](const CounterDefinition& definition) {
        return !catalog.counter_name(definition.index).empty();
      });
  for (std::size_t i = 0; i < definitions.all.size(); ++i) {
    const CounterDefinition& definition = definitions.all[i];
    const CounterTypeInfo info = describe(definition.type);
    CounterSchema counter = make_schema(definition, catalog);
    const CounterDefinition* const base = base_of(definitions.all, i, info);
    if (base != nullptr) {
      counter.has_base = true;
      counter.base_type = base->type;
      counter.base_size = base->size;
      ++i;
    }
    layout.identity.note(*schema, counter, definition,
                         [&](std::string_view name) { return is_identity(counter, name); });
    if (names_others && !schema->name.empty() && is_nameless(catalog, counter)) {
      if (!info.is_base) ++schema->nameless;
      continue;
    }
    // Bases are allowed to have the index 0, which has no name.
    if (counter.name.empty() && !info.is_base)
      layout.problems.push_back(unknown(value_of(definition.index), "counter"));
    if (selection.counters && !selection.counters(counter)) continue;
    layout.columns.push_back(
        {.value = definition, .base = base != nullptr ? std::optional(*base) : std::nullopt});
    schema->counters.push_back(std::move(counter));
  }
  read_by_names(*schema);
  layout.schema = std::move(schema);
  return layout;
}

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

namespace {

auto values_at(const CountersetSample& sample, std::size_t row) {
  return [&sample, row](std::size_t column) {
    const std::size_t cell = sample.cell(row, column);
    return has_raw(sample.reason[cell]) ? std::optional(sample.raw[cell]) : std::nullopt;
  };
}

}  // namespace

std::shared_ptr<const CountersetSample> LoggedTracker::update(
    const std::shared_ptr<const CountersetSample>& logged, const Selection& selection) {
  if (layout_.logged != logged->schema) build_layout(logged->schema, selection);
  const bool multi_instance = logged->schema->multi_instance;
  if (multi_instance) select_instances(*logged, selection);
  auto sample = make_raw_sample(layout_.schema, instances_.set(), logged->clocks);
  sample->own_clocks.resize(sample->reason.size());
  if (!multi_instance)
    sample->owner = layout_.identity.any_process().and_then(values_at(*logged, 0));
  for (std::size_t row = 0; row < sample->rows(); ++row) {
    const std::size_t logged_row = multi_instance ? instances_.positions()[row] : 0;
    for (std::size_t column = 0; column < sample->columns(); ++column) {
      const std::size_t cell = sample->cell(row, column);
      const std::size_t from = logged->cell(logged_row, layout_.columns[column]);
      sample->raw[cell] = logged->raw[from];
      sample->base[cell] = logged->base[from];
      sample->reason[cell] = logged->reason[from];
      sample->own_clocks[cell] = logged->own_clocks[from];
    }
  }
  return chain_.append(std::move(sample), selection);
}

void LoggedTracker::build_layout(std::shared_ptr<const CountersetSchema> logged,
                                 const Selection& selection) {
  layout_ = {};
  layout_.logged = std::move(logged);
  auto schema = std::make_shared<CountersetSchema>(*layout_.logged);
  schema->counters.clear();
  for (std::size_t column = 0; column < layout_.logged->counters.size(); ++column) {
    const CounterSchema& counter = layout_.logged->counters[column];
    layout_.identity.note(*schema, counter, column,
                          [&](std::string_view name) { return equal_names(counter.name, name); });
    if (selection.counters && !selection.counters(counter)) continue;
    layout_.columns.push_back(column);
    schema->counters.push_back(counter);
  }
  layout_.schema = std::move(schema);
}

void LoggedTracker::select_instances(const CountersetSample& logged, const Selection& selection) {
  std::vector<InstanceSchema> all = logged.instances->instances;
  for (std::size_t row = 0; row < all.size(); ++row)
    set_identity(all[row], layout_.identity.values(values_at(logged, row)));
  instances_.select(std::move(all), *logged.schema, selection);
}

namespace {

// Reads the raw value and its base.
void read_cell(CountersetSample& sample, std::size_t cell, const ObjectColumn& column,
               const CounterBlockView& block) {
  const auto value = block.read(column.value);
  if (!value) {
    sample.reason[cell] = value.error();
    return;
  }
  sample.raw[cell] = *value;
  if (!column.base) return;
  const auto base = block.read(*column.base);
  if (base) {
    sample.base[cell] = *base;
    return;
  }
  sample.reason[cell] = NoValue::kNoBase;
}

// An object without counters has no values, with or without instances.
ReadResult without_counters(const ObjectView& object, std::vector<Error> problems) {
  const CounterDefinitions definitions = object.counters();
  return std::unexpected(
      ReadFailure{.error = *definitions.problem, .problems = std::move(problems)});
}

}  // namespace

bool V1Tracker::same_definitions(const ObjectView& object, std::uint64_t catalog_generation) const {
  return layout_.schema != nullptr && catalog_generation_ == catalog_generation &&
         num_counters_ == object.num_counters() &&
         layout_.schema->multi_instance == object.multi_instance() &&
         std::ranges::equal(definition_bytes_, object.definition_bytes());
}

ReadResult V1Tracker::update(const ObjectView& object, Clocks block_clocks, const Catalog& catalog,
                             std::uint64_t catalog_generation, ParentNames& parents,
                             const Selection& selection) {
  std::vector<Error> problems;
  if (!same_definitions(object, catalog_generation)) {
    layout_ = build_layout(object, catalog, selection);
    problems = layout_.problems;
    const auto bytes = object.definition_bytes();
    definition_bytes_.assign(bytes.begin(), bytes.end());
    num_counters_ = object.num_counters();
    catalog_generation_ = catalog_generation;
  }
  if (!layout_.has_counters) return without_counters(object, std::move(problems));
  auto rows = instances_.read(object, layout_, parents, selection);
  if (!rows)
    return std::unexpected(ReadFailure{.error = rows.error(), .problems = std::move(problems)});
  std::optional<Error> damage = layout_.damage;
  for (const std::optional<Error>& found : {rows->nameless_parent, rows->cut_short}) {
    if (!found) continue;
    problems.push_back(*found);
    damage = found;
  }

  block_clocks.object_time = object.time();
  block_clocks.object_frequency = object.frequency();
  auto sample = make_raw_sample(layout_.schema, std::move(rows->set), block_clocks);
  sample->damage = damage;
  if (!sample->schema->multi_instance)
    sample->owner = layout_.identity.any_process().and_then(values_in(rows->blocks.front()));
  for (std::size_t row = 0; row < sample->rows(); ++row)
    for (std::size_t column = 0; column < sample->columns(); ++column)
      read_cell(*sample, sample->cell(row, column), layout_.columns[column], rows->blocks[row]);
  return Reading{.sample = chain_.append(std::move(sample), selection),
                 .problems = std::move(problems)};
}

namespace {

bool is_wanted(std::span<const ObjectIndex> wanted, ObjectIndex index) {
  return wanted.empty() || std::ranges::find(wanted, index) != wanted.end();
}

}  // namespace

Error duplicate_of(const ObjectView& object) {
  return {.code = ErrorCode::kDuplicateObject,
          .where = "object",
          .offset = object.offset(),
          .actual = value_of(object.index())};
}

SampledObjects ObjectSampler::take(const Reply& reply, const Catalog& catalog,
                                   std::uint64_t catalog_generation,
                                   std::span<const ObjectIndex> wanted) {
  SampledObjects taken{.samples = {}, .problems = reply.blocks.problems()};
  std::map<std::uint32_t, ParentNames> parents;  // by block
  std::set<ObjectIndex> seen;
  const auto add = [&taken](ReadResult object) {
    std::ranges::copy(problems_of(object), std::back_inserter(taken.problems));
    if (object)
      taken.samples.push_back(std::move(object->sample));
    else
      taken.problems.push_back(object.error().error);
  };
  const auto take_one = [&](const ReplyBlocks::Place& place) {
    const ReplyBlocks::Walked& block = reply.blocks.walked()[place.block];
    const ObjectView& object = block.objects[place.object];
    if (object.metadata_only()) return;
    if (!seen.insert(place.index).second) return taken.problems.push_back(duplicate_of(object));
    ParentNames& names = parents.try_emplace(place.block, block.objects).first->second;
    add(trackers_[place.index].update(object, block.block->clocks(), catalog, catalog_generation,
                                      names, selection_));
  };
  std::ranges::for_each(reply.blocks.in_order(wanted), take_one);
  for (const LoggedObject& object : reply.logged) {
    const ObjectIndex index = object.values->schema->index;
    if (is_wanted(wanted, index))
      add(Reading{.sample = logged_trackers_[index].update(object.values, selection_),
                  .problems = object.problems});
  }
  return taken;
}

}  // namespace winperf
