#include "collectors/diagnosis/delivered.h"

#include <algorithm>
#include <string>
#include <utility>

#include "collectors/sampling/registry/logged_tracker.h"
#include "collectors/wire/block_view.h"

namespace winperf {
namespace {

constexpr std::size_t kMaxExamples = 5;

bool passes(const NamePredicate& predicate, std::string_view name) {
  return !predicate || predicate(name);
}

void add_example(std::vector<std::string>& examples, std::string name) {
  if (examples.size() < kMaxExamples && std::ranges::find(examples, name) == examples.end())
    examples.push_back(std::move(name));
}

std::string name_of(const InstanceView& instance) {
  std::string name = instance.name().text;
  if (name.empty() && instance.unique_id()) name = std::to_string(*instance.unique_id());
  return name;
}

void count_counters(DeliveredObject& delivered, const ObjectView& object, const Catalog& catalog,
                    const Selection& selection, std::vector<Error>& problems) {
  const CounterDefinitions definitions = object.counters();
  if (definitions.problem) problems.push_back(*definitions.problem);
  for (const CounterDefinition& definition : definitions.all) {
    if (describe(definition.type).is_base) continue;
    const std::string name(catalog.counter_name(definition.index));
    ++delivered.counters;
    if (passes(selection.counters, name)) ++delivered.matching_counters;
    add_example(delivered.counter_names, name);
  }
}

void count_instances(DeliveredObject& delivered, const ObjectView& object,
                     const Selection& selection, std::vector<Error>& problems) {
  InstanceWalk walk = object.instances();
  while (const auto instance = walk.next()) {
    if (!*instance) {
      problems.push_back(instance->error());
      continue;
    }
    const std::string name = name_of(**instance);
    ++delivered.instances;
    if (passes(selection.instances, name)) ++delivered.matching_instances;
    add_example(delivered.instance_names, name);
  }
}

// Nothing where the one block of an object without instances is damaged: then there are no values.
std::optional<DeliveredObject> inspect(const ObjectView& object, const Catalog& catalog,
                                       const Selection& selection, std::vector<Error>& problems) {
  DeliveredObject delivered;
  delivered.index = object.index();
  delivered.name = catalog.object_name(object.index());
  delivered.multi_instance = object.multi_instance();
  count_counters(delivered, object, catalog, selection, problems);
  if (object.multi_instance()) {
    count_instances(delivered, object, selection, problems);
    return delivered;
  }
  if (const auto block = object.single_block(); !block) {
    problems.push_back(block.error());
    return std::nullopt;
  }
  return delivered;
}

}  // namespace

DeliveredObject count_delivered(const CountersetSample& sample, const Selection& selection) {
  DeliveredObject delivered;
  delivered.index = sample.schema->index;
  delivered.name = sample.schema->name;
  delivered.multi_instance = sample.schema->multi_instance;
  for (const CounterSchema& counter : sample.schema->counters) {
    ++delivered.counters;
    if (passes(selection.counters, counter.name)) ++delivered.matching_counters;
    add_example(delivered.counter_names, counter.name);
  }
  for (const InstanceSchema& instance : sample.instances->instances) {
    ++delivered.instances;
    const bool numbered = !selection.instance_id || instance.unique_id == selection.instance_id;
    if (numbered && passes(selection.instances, name_to_select(*sample.schema, instance)))
      ++delivered.matching_instances;
    add_example(delivered.instance_names, instance.name);
  }
  return delivered;
}

std::optional<DeliveredObject> find_delivered(const Reply& reply, const Catalog& catalog,
                                              std::span<const ObjectIndex> wanted,
                                              const Selection& selection,
                                              std::vector<Error>& problems) {
  std::optional<DeliveredObject> found;
  for (const Bytes& bytes : reply.blocks) {
    const auto block = BlockView::parse(bytes);
    if (!block) {
      problems.push_back(block.error());
      continue;
    }
    ObjectWalk walk = block->objects();
    while (const auto object = walk.next()) {
      if (!*object) {
        problems.push_back(object->error());
        continue;
      }
      const ObjectIndex index = (*object)->index();
      if (std::ranges::find(wanted, index) == wanted.end() || (*object)->metadata_only()) continue;
      if (found && found->index <= index) continue;
      auto delivered = inspect(**object, catalog, selection, problems);
      if (delivered) found = std::move(delivered);
    }
  }
  for (const LoggedObject& object : reply.logged) {
    const ObjectIndex index = object.values->schema->index;
    if (std::ranges::find(wanted, index) == wanted.end() || (found && found->index <= index))
      continue;
    problems.insert(problems.end(), object.problems.begin(), object.problems.end());
    found = count_delivered(*object.values, selection);
  }
  return found;
}

}  // namespace winperf
