#include "collectors/diagnosis/delivered.h"

#include <algorithm>
#include <string>
#include <utility>

#include "collectors/sampling/instance_matcher.h"
#include "collectors/sampling/registry/instance_reader.h"
#include "collectors/sampling/selected_instances.h"
#include "collectors/wire/block_view.h"

namespace winperf {
namespace {

constexpr std::size_t kMaxExamples = 5;

bool passes(const CounterPredicate& predicate, const CounterSchema& counter) {
  return !predicate || predicate(counter);
}

void add_example(std::vector<std::string>& examples, std::string name) {
  if (examples.size() < kMaxExamples && std::ranges::find(examples, name) == examples.end())
    examples.push_back(std::move(name));
}

void append(std::vector<Error>& problems, const std::vector<Error>& more) {
  problems.insert(problems.end(), more.begin(), more.end());
}

// Of instances whose duplicates have been numbered.
void count_instances(DeliveredObject& found, std::span<const InstanceSchema> instances,
                     const CountersetSchema& schema, const Selection& selection) {
  for (const InstanceSchema& instance : instances) {
    ++found.instances;
    if (accepts(selection, schema, instance)) ++found.matching_instances;
    add_example(found.instance_names,
                selection.by_display_name ? display_name(instance) : instance.name);
  }
}

// Counts what one V1 object holds.
class Inspection {
 public:
  Inspection(const BlockView& block, const ObjectView& object, const Catalog& catalog,
             const Selection& selection)
      : parents_(block), object_(object), catalog_(catalog), selection_(selection) {}

  Delivered run() {
    DeliveredObject& found = delivered_.object.emplace();
    found.index = object_.index();
    found.name = catalog_.object_name(object_.index());
    found.multi_instance = object_.multi_instance();
    if (!count_counters(found)) {
      delivered_.object.reset();
    } else if (found.multi_instance) {
      // A list that breaks off at its first instance says nothing of the object either.
      if (!walk_instances(found) && found.instances == 0) delivered_.object.reset();
    } else if (const auto block = object_.single_block(); !block) {
      // Without its only counter block the object has no values.
      delivered_.problems.push_back(block.error());
      delivered_.object.reset();
    }
    return std::move(delivered_);
  }

 private:
  // Whether there is any. Without one, the object has no values.
  bool count_counters(DeliveredObject& found) {
    const CounterDefinitions definitions = object_.counters();
    if (definitions.problem) delivered_.problems.push_back(*definitions.problem);
    for (const CounterDefinition& definition : definitions.all) {
      if (describe(definition.type).is_base) continue;
      CounterSchema counter;
      counter.name = catalog_.counter_name(definition.index);
      counter.local_name = catalog_.local_counter_name(definition.index);
      ++found.counters;
      if (passes(selection_.counters, counter)) ++found.matching_counters;
      add_example(found.counter_names, counter.name);
    }
    return !definitions.all.empty();
  }

  // Whether the whole list could be read.
  bool walk_instances(DeliveredObject& found) {
    bool whole = true;
    std::vector<InstanceSchema> instances;
    InstanceWalk walk = object_.instances();
    while (const auto instance = walk.next()) {
      if (!*instance) {
        delivered_.problems.push_back(instance->error());
        whole = false;
        continue;
      }
      instances.push_back(schema_of(**instance, parents_));
    }
    number_duplicates(instances);
    count_instances(found, instances, {}, selection_);
    return whole;
  }

  ParentNames parents_;
  const ObjectView& object_;
  const Catalog& catalog_;
  const Selection& selection_;
  Delivered delivered_;
};

}  // namespace

DeliveredObject count_delivered(const CountersetSample& sample, const Selection& selection) {
  DeliveredObject delivered;
  delivered.index = sample.schema->index;
  delivered.name = sample.schema->name;
  delivered.multi_instance = sample.schema->multi_instance;
  for (const CounterSchema& counter : sample.schema->counters) {
    ++delivered.counters;
    if (passes(selection.counters, counter)) ++delivered.matching_counters;
    add_example(delivered.counter_names, counter.name);
  }
  count_instances(delivered, sample.instances->instances, *sample.schema, selection);
  return delivered;
}

Delivered find_delivered(const Reply& reply, const Catalog& catalog,
                         std::span<const ObjectIndex> wanted, const Selection& selection) {
  Delivered result;
  const auto is_better = [&](ObjectIndex index) {
    return std::ranges::find(wanted, index) != wanted.end() &&
           (!result.object || index < result.object->index);
  };
  const auto take = [&result](Delivered found) {
    append(result.problems, found.problems);
    if (found.object) result.object = std::move(found.object);
  };
  for (const Bytes& bytes : reply.blocks) {
    const auto block = BlockView::parse(bytes);
    if (!block) {
      result.problems.push_back(block.error());
      continue;
    }
    ObjectWalk walk = block->objects();
    while (const auto object = walk.next()) {
      if (!*object)
        result.problems.push_back(object->error());
      else if (is_better((*object)->index()) && !(*object)->metadata_only())
        take(Inspection(*block, **object, catalog, selection).run());
    }
  }
  for (const LoggedObject& object : reply.logged)
    if (is_better(object.values->schema->index))
      take({.object = count_delivered(*object.values, selection), .problems = object.problems});
  return result;
}

}  // namespace winperf
