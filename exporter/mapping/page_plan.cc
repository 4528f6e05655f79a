#include "exporter/mapping/page_plan.h"

#include <algorithm>
#include <map>
#include <utility>

#include "exporter/mapping/name_clash.h"
#include "exporter/mapping/object_mapping.h"

namespace winperf {

const PagePlan& Mapper::plan(const Sample& sample) {
  std::vector<const CountersetSchema*> wanted;
  for (const CountersetState& state : sample.countersets) {
    wanted.push_back(state.sample ? state.sample->schema.get() : nullptr);
  }
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
    const auto known = cache_.find(schema.get());
    CachedObject& object = current[schema.get()];
    if (object.mapping == nullptr) {
      object = known != cache_.end() ? known->second
                                     : CachedObject{schema, std::make_shared<const ObjectMapping>(
                                                                map_object(*schema, options_))};
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

  std::map<std::string, PageFamily> page;
  for (std::size_t i = 0; i < families.size(); ++i) {
    PageFamily& family = page[names[i]];
    if (family.sources.empty()) {
      family.name = names[i];
      family.help = families[i]->help;
      family.type = families[i]->type;
    }
    family.sources.push_back({counterset_of[i], families[i]->value});
  }
  plan_.families.clear();
  for (auto& [name, family] : page) plan_.families.push_back(std::move(family));
}

}  // namespace winperf
