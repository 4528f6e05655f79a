#include "tests/support/block_digest.h"

#include "collectors/wire/block_view.h"

namespace winperf::testing {
namespace {

std::vector<ValueDigest> values_of(const CounterBlockView& block,
                                   const std::vector<CounterDefinition>& counters) {
  std::vector<ValueDigest> values;
  for (const CounterDefinition& counter : counters) {
    const auto value = block.read(counter);
    values.push_back(value ? ValueDigest{.value = *value} : ValueDigest{.reason = value.error()});
  }
  return values;
}

InstanceDigest digest(const InstanceView& instance,
                      const std::vector<CounterDefinition>& counters) {
  return {.name = instance.name().text,
          .parent_object = value_of(instance.parent_object()),
          .parent_position = instance.parent_position(),
          .unique_id = instance.unique_id(),
          .values = values_of(instance.block(), counters)};
}

void add_instances(ObjectDigest& object, const ObjectView& view) {
  InstanceWalk walk = view.instances();
  while (const auto instance = walk.next()) {
    if (*instance) object.instances.push_back(digest(**instance, object.counters));
    if (!*instance) ++object.problems;
  }
}

void add_single_block(ObjectDigest& object, const ObjectView& view) {
  const auto block = view.single_block();
  if (block) object.instances.push_back({.values = values_of(*block, object.counters)});
  if (!block) ++object.problems;
}

ObjectDigest digest(const ObjectView& view) {
  ObjectDigest object{.index = value_of(view.index()),
                      .help_index = value_of(view.help_index()),
                      .offset = static_cast<std::size_t>(view.offset()),
                      .multi_instance = view.multi_instance(),
                      .metadata_only = view.metadata_only(),
                      .time = view.time(),
                      .frequency = view.frequency()};
  CounterDefinitions counters = view.counters();
  object.counters = std::move(counters.all);
  if (counters.problem) ++object.problems;
  if (view.multi_instance()) add_instances(object, view);
  if (!view.multi_instance() && !view.metadata_only()) add_single_block(object, view);
  return object;
}

}  // namespace

BlockDigest digest_by_views(std::span<const std::byte> bytes) {
  const auto view = BlockView::parse(bytes);
  if (!view) return {};
  BlockDigest block{
      .valid = true, .clocks = view->clocks(), .computer_name = view->computer_name()};
  ObjectWalk walk = view->objects();
  while (const auto object = walk.next()) {
    if (*object) block.objects.push_back(digest(**object));
    if (!*object) ++block.problems;
  }
  return block;
}

std::size_t problems_of(const BlockDigest& digest) {
  std::size_t problems = digest.problems;
  for (const ObjectDigest& object : digest.objects) problems += object.problems;
  return problems;
}

}  // namespace winperf::testing
