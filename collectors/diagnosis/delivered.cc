#include "collectors/diagnosis/delivered.h"

#include <algorithm>
#include <string>
#include <utility>

#include "collectors/sampling/registry/object_sampler.h"
#include "collectors/sampling/selected_instances.h"

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

}  // namespace

DeliveredObject count_delivered(const CountersetSample& sample, const Selection& selection) {
  DeliveredObject delivered;
  delivered.index = sample.schema->index;
  delivered.name = sample.schema->name;
  delivered.multi_instance = sample.schema->multi_instance;
  for (const CounterSchema& counter : sample.schema->counters) {
    if (counter.info().is_base) continue;  // that no counter before it needs
    ++delivered.counters;
    if (passes(selection.counters, counter)) ++delivered.matching_counters;
    add_example(delivered.counter_names, counter.name);
  }
  count_instances(delivered, sample.instances->instances, *sample.schema, selection);
  return delivered;
}

Delivered find_delivered(const Reply& reply, const Catalog& catalog,
                         std::span<const ObjectIndex> wanted, const Selection& selection) {
  // Without the selection: what it leaves out is part of the diagnosis.
  SampledObjects taken = ObjectSampler().take(reply, catalog, 1, wanted);
  Delivered result{.object = {}, .problems = std::move(taken.problems)};
  const auto lowest = std::ranges::min_element(
      taken.samples, {}, [](const auto& sample) { return sample->schema->index; });
  if (lowest != taken.samples.end()) result.object = count_delivered(**lowest, selection);
  return result;
}

}  // namespace winperf
