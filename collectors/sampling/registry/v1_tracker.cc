#include "collectors/sampling/registry/v1_tracker.h"

#include <algorithm>
#include <utility>

namespace winperf {
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

// It has nothing to show, whether or not it has instances.
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
  if (!sample->schema->multi_instance) sample->owner = owner_in(rows->blocks.front(), layout_);
  for (std::size_t row = 0; row < sample->rows(); ++row)
    for (std::size_t column = 0; column < sample->columns(); ++column)
      read_cell(*sample, sample->cell(row, column), layout_.columns[column], rows->blocks[row]);
  auto cooked = chain_.append(std::move(sample), selection.cook);
  return Reading{.sample = leading_.keep(std::move(cooked), selection.limit),
                 .problems = std::move(problems)};
}

}  // namespace winperf
