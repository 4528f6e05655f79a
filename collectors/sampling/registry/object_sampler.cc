#include "collectors/sampling/registry/object_sampler.h"

#include <algorithm>
#include <iterator>
#include <string>
#include <utility>

#include "collectors/base/ascii.h"
#include "collectors/base/equal_bytes.h"

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
  schema->counters.shrink_to_fit();
  layout.columns.shrink_to_fit();
  read_by_names(*schema);
  layout.layout = layout_of(*schema);
  layout.schema = std::move(schema);
  return layout;
}

namespace {

void read_column(CountersetSample& sample, std::size_t column, const ObjectColumn& place,
                 const CounterBlocks& blocks) {
  const std::size_t rows = sample.rows();
  const auto reasons = std::span(sample.reason).subspan(column * rows, rows);
  blocks.read(place.value, std::span(sample.raw).subspan(column * rows, rows), reasons);
  if (place.base)
    blocks.read_base(*place.base, sample.more_column(sample.layout->columns[column].base), reasons);
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
         equal_bytes(definition_bytes_, object.definition_bytes());
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
  auto rows = instances_.read(object, layout_.identity, *layout_.schema, parents, selection);
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
  auto sample = chain_.begin(layout_.schema, layout_.layout, std::move(rows->set), block_clocks);
  sample->damage = damage;
  if (!sample->schema->multi_instance)
    sample->owner = layout_.identity.any_process().and_then(values_in((*rows->blocks)[0]));
  for (std::size_t column = 0; column < sample->columns(); ++column)
    read_column(*sample, column, layout_.columns[column], *rows->blocks);
  return Reading{.sample = chain_.append(std::move(sample), selection, &instances_.selected()),
                 .problems = std::move(problems)};
}

namespace {

bool is_wanted(std::span<const ObjectIndex> wanted, ObjectIndex index) {
  return wanted.empty() || std::ranges::find(wanted, index) != wanted.end();
}

// Whether an object is there only for the instances of others, which find their parents in it.
bool only_names_parents(const ObjectView& object, const Catalog& catalog) {
  return object.num_counters() == 0 && object.multi_instance() &&
         catalog.object_name(object.index()).empty();
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
  SampledObjects taken;
  take(reply, catalog, catalog_generation, wanted, taken);
  return taken;
}

void ObjectSampler::take(const Reply& reply, const Catalog& catalog,
                         std::uint64_t catalog_generation, std::span<const ObjectIndex> wanted,
                         SampledObjects& taken) {
  taken.samples.clear();
  taken.problems = reply.blocks.problems();
  ++replies_;
  std::optional<ParentNames> parents;
  std::uint32_t block_of_parents = 0;
  const auto add = [&taken](ReadResult object) {
    std::ranges::copy(problems_of(object), std::back_inserter(taken.problems));
    if (object)
      taken.samples.push_back(std::move(object->sample));
    else
      taken.problems.push_back(object.error().error);
  };
  const auto take_one = [&](const ReplyBlocks::Place& place) {
    const ReplyBlocks::Walked& block = reply.blocks.walked()[place.block];
    const ObjectView& object = reply.blocks.view(place);
    if (object.metadata_only()) return;
    if (only_names_parents(object, catalog)) return;
    Tracked& tracked = trackers_[place.index];
    if (std::exchange(tracked.last_reply, replies_) == replies_)
      return taken.problems.push_back(duplicate_of(object));
    if (!parents || block_of_parents != place.block)
      parents.emplace(reply.blocks.objects_of(block));
    block_of_parents = place.block;
    add(tracked.tracker.update(object, block.block->clocks(), catalog, catalog_generation, *parents,
                               selection_));
  };
  if (wanted.size() == 1) {  // needs no list
    std::ranges::for_each(reply.blocks.objects_with(wanted.front()), take_one);
  } else {
    reply.blocks.put_in_order(wanted, places_);
    taken.samples.reserve(places_.size());
    std::ranges::for_each(places_, take_one);
  }
  for (const LoggedObject& object : reply.logged) {
    const ObjectIndex index = object.values->schema->index;
    if (is_wanted(wanted, index))
      add(Reading{.sample = logged_trackers_[index].update(object.values, selection_),
                  .problems = object.problems});
  }
}

}  // namespace winperf
