#include "collectors/sampling/registry/object_layout.h"

#include <algorithm>
#include <string>
#include <utility>

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

// Whether its provider has registered no name for it, as Windows itself does with bases and with
// what is for nobody, rather than the name being lost.
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

}  // namespace winperf
