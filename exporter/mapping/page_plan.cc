#include "exporter/mapping/page_plan.h"

#include <algorithm>
#include <map>
#include <utility>

#include "collectors/base/ascii.h"
#include "exporter/mapping/name_clash.h"
#include "exporter/mapping/name_table.h"

namespace winperf {
namespace {

MappingContext context_of(const CountersetState& state, const Sample& sample) {
  const std::string_view newer = object_row(state.sample->schema->name).newer;
  const auto is_newer = [&](const CountersetState& other) {
    return other.sample != nullptr && other.machine == state.machine &&
           equal_names(other.sample->schema->name, newer);
  };
  return {.interval = state.interval,
          .beside_newer = !newer.empty() && std::ranges::any_of(sample.countersets, is_newer)};
}

// What it is, what perfmon says, and where all of its values come from. Where intervals differ,
// what it is differs, too.
std::string help_of(const std::vector<const FamilyMapping*>& family) {
  std::string help;
  std::string_view meaning;
  std::vector<std::string_view> told;
  for (const FamilyMapping* mapping : family) {
    if (std::ranges::find(told, mapping->origin) != told.end()) continue;
    told.push_back(mapping->origin);
    if (mapping->help != meaning) {
      meaning = mapping->help;
      if (!help.empty()) help += ' ';
      help += meaning;
      if (!mapping->origin.starts_with('[')) help += " In perfmon:";
    }
    help += ' ' + mapping->origin;
  }
  return help;
}

void find_repeats(std::vector<FamilySource>& sources) {
  for (FamilySource& source : sources)
    source.may_repeat = std::ranges::count(sources, source.labels, &FamilySource::labels) > 1;
}

}  // namespace

const PagePlan& Mapper::plan(const Sample& sample) {
  std::vector<Wanted> wanted;
  for (const CountersetState& state : sample.countersets)
    wanted.emplace_back(state.sample ? state.sample->schema.get() : nullptr, state.interval);
  if (wanted == planned_) return plan_;
  planned_ = std::move(wanted);
  map_objects(sample);
  build_plan();
  return plan_;
}

// Keeps the mappings of known schemas, and forgets schemas that no counterset has any more.
void Mapper::map_objects(const Sample& sample) {
  std::unordered_map<const CountersetSchema*, CachedObject> current;
  plan_.objects.clear();
  for (const CountersetState& state : sample.countersets) {
    if (state.sample == nullptr) {
      plan_.objects.push_back(nullptr);
      continue;
    }
    const auto& schema = state.sample->schema;
    CachedObject& object = current[schema.get()];
    if (object.mapping == nullptr) {
      const MappingContext context = context_of(state, sample);
      const auto known = cache_.find(schema.get());
      if (known != cache_.end() && known->second.context == context)
        object = known->second;
      else
        object = {schema, context,
                  std::make_shared<const ObjectMapping>(map_object(*schema, options_, context))};
    }
    plan_.objects.push_back(object.mapping);
  }
  cache_ = std::move(current);
}

void Mapper::build_plan() {
  std::vector<const FamilyMapping*> families;
  std::vector<std::size_t> counterset_of;
  for (std::size_t i = 0; i < plan_.objects.size(); ++i) {
    if (plan_.objects[i] == nullptr) continue;
    for (const FamilyMapping& family : plan_.objects[i]->families) {
      families.push_back(&family);
      counterset_of.push_back(i);
    }
  }
  const std::vector<std::string> names = resolve_name_clashes(families);

  std::map<std::string, std::vector<std::size_t>> by_name;
  for (std::size_t i = 0; i < families.size(); ++i) by_name[names[i]].push_back(i);
  plan_.families.clear();
  for (const auto& [name, members] : by_name) {
    PageFamily& family = plan_.families.emplace_back();
    std::vector<const FamilyMapping*> mappings;
    for (const std::size_t member : members) {
      const FamilyMapping& mapping = *mappings.emplace_back(families[member]);
      family.sources.push_back(
          {counterset_of[member], mapping.labels, mapping.id_label, mapping.value, false});
    }
    family.name = name;
    family.help = help_of(mappings);
    family.type = mappings.front()->type;
    find_repeats(family.sources);
  }
}

}  // namespace winperf
