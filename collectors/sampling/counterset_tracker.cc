#include "collectors/sampling/counterset_tracker.h"

#include <algorithm>
#include <utility>

#include "collectors/formula/cook.h"
#include "collectors/sampling/instance_matcher.h"
#include "collectors/sampling/running_total.h"

namespace winperf {
namespace {

// Where the cell that a new cell continues is in the previous sample.
struct Continuation {
  const CountersetSample* previous = nullptr;
  std::vector<std::uint32_t> rows;     // previous row of each row, or kNewInstance
  std::vector<std::uint32_t> columns;  // previous column of each column, or kNewInstance
  std::vector<bool> type_changed;      // by column: the counter is there, but of another type
};

bool continues(const CounterSchema& before, const CounterSchema& now) {
  return before.type == now.type && before.size == now.size && before.has_base == now.has_base &&
         before.base_size == now.base_size;
}

// Columns are the same counter if they are the n-th definition with this index in both samples.
void match_columns(const CountersetSchema& before, const CountersetSchema& now,
                   Continuation& result) {
  result.columns.assign(now.counters.size(), kNewInstance);
  result.type_changed.assign(now.counters.size(), false);
  std::vector<bool> taken(before.counters.size(), false);
  for (std::size_t column = 0; column < now.counters.size(); ++column) {
    for (std::uint32_t old = 0; old < before.counters.size(); ++old) {
      if (taken[old] || before.counters[old].index != now.counters[column].index) continue;
      taken[old] = true;
      if (continues(before.counters[old], now.counters[column])) {
        result.columns[column] = old;
      } else {
        result.type_changed[column] = true;
      }
      break;
    }
  }
}

std::vector<std::uint32_t> same_positions(std::size_t count) {
  std::vector<std::uint32_t> positions(count);
  for (std::uint32_t i = 0; i < count; ++i) positions[i] = i;
  return positions;
}

Continuation find_continuation(const CountersetSample* previous, const CountersetSample& current) {
  Continuation result;
  result.previous = previous;
  if (previous == nullptr || previous->schema->multi_instance != current.schema->multi_instance) {
    result.previous = nullptr;
    return result;
  }
  if (previous->schema == current.schema) {
    result.columns = same_positions(current.columns());
    result.type_changed.assign(current.columns(), false);
  } else {
    match_columns(*previous->schema, *current.schema, result);
  }
  if (previous->instances == current.instances || !current.schema->multi_instance) {
    result.rows = same_positions(current.rows());
  } else {
    result.rows = match_instances(previous->instances->instances, current.instances->instances);
  }
  return result;
}

Observation observation(const CountersetSample& sample, std::size_t cell,
                        const CounterSchema& counter) {
  return {.value = sample.raw[cell],
          .base = sample.base[cell],
          .value_bytes = static_cast<std::uint8_t>(counter.size),
          .base_bytes = static_cast<std::uint8_t>(counter.has_base ? counter.base_size : 0)};
}

// Reads the raw value and its base; false where there is no raw value.
bool read_cell(CountersetSample& sample, std::size_t cell, const ObjectColumn& column,
               const CounterBlockView& block) {
  const auto value = block.read(column.value);
  if (!value) {
    sample.reason[cell] = value.error();
    return false;
  }
  sample.raw[cell] = *value;
  sample.total[cell] = *value;
  if (!column.base) return true;
  const auto base = block.read(*column.base);
  if (base) {
    sample.base[cell] = *base;
    sample.base_total[cell] = *base;
    return true;
  }
  sample.reason[cell] = NoValue::kNoBase;
  return true;
}

void cook_cell(CountersetSample& sample, std::size_t cell, const CounterSchema& counter,
               const Continuation& from, std::size_t row, std::size_t column) {
  const bool paired = from.previous != nullptr && from.rows[row] != kNewInstance &&
                      from.columns[column] != kNewInstance;
  const std::size_t old =
      paired ? from.previous->cell(from.rows[row], from.columns[column]) : std::size_t{0};
  const bool has_previous = paired && has_raw(from.previous->reason[old]);
  const Observation now = observation(sample, cell, counter);
  const CounterTypeInfo& info = counter.info;

  if (has_previous) {
    const Observation before = observation(*from.previous, old, counter);
    sample.total[cell] =
        next_total(info, from.previous->total[old], before.value, now.value, now.value_bytes);
    sample.base_total[cell] = next_base_total(info, from.previous->base_total[old], before.base,
                                              now.base, now.base_bytes);
  } else {
    sample.total[cell] = first_total(info, now.value);
  }
  if (sample.reason[cell] != NoValue::kNone) return;

  const bool type_changed = from.previous != nullptr && from.type_changed[column];
  if (type_changed && info.needs_previous) {
    sample.reason[cell] = NoValue::kTypeChanged;
    return;
  }
  const Observation before = has_previous ? observation(*from.previous, old, counter) : now;
  const auto cooked = cook(info, has_previous ? &before : nullptr,
                           has_previous ? &from.previous->clocks : nullptr, now, sample.clocks);
  if (cooked) {
    sample.cooked[cell] = *cooked;
  } else {
    sample.reason[cell] = cooked.error();
  }
}

void resize_cells(CountersetSample& sample, std::size_t cells) {
  for (auto* column : {&sample.raw, &sample.base, &sample.total, &sample.base_total})
    column->resize(cells);
  sample.cooked.resize(cells);
  sample.reason.resize(cells, NoValue::kNone);
}

}  // namespace

bool CountersetTracker::same_definitions(const ObjectView& object,
                                         std::uint64_t catalog_generation) const {
  return layout_.schema != nullptr && catalog_generation_ == catalog_generation &&
         layout_.schema->index == object.index() &&
         layout_.schema->multi_instance == object.multi_instance() &&
         std::ranges::equal(definition_bytes_, object.definition_bytes());
}

std::shared_ptr<const CountersetSample> CountersetTracker::update(
    const ObjectView& object, Clocks block_clocks, const Catalog& catalog,
    std::uint64_t catalog_generation, ParentNames& parents, const Selection& selection,
    std::vector<Error>& problems) {
  if (!same_definitions(object, catalog_generation)) {
    layout_ = build_layout(object, catalog, selection, problems);
    const auto bytes = object.definition_bytes();
    definition_bytes_.assign(bytes.begin(), bytes.end());
    catalog_generation_ = catalog_generation;
  }
  InstanceRows rows = instances_.read(object, layout_, parents, selection, problems);

  auto sample = std::make_shared<CountersetSample>();
  sample->schema = layout_.schema;
  sample->instances = std::move(rows.set);
  sample->clocks = block_clocks;
  sample->clocks.object_time = object.time();
  sample->clocks.object_frequency = object.frequency();
  // A single-instance object whose block is corrupt has no row to show.
  if (rows.blocks.size() != sample->rows()) return nullptr;
  resize_cells(*sample, sample->rows() * sample->columns());

  const Continuation from = find_continuation(previous_.get(), *sample);
  for (std::size_t row = 0; row < sample->rows(); ++row) {
    for (std::size_t column = 0; column < sample->columns(); ++column) {
      const std::size_t cell = sample->cell(row, column);
      if (read_cell(*sample, cell, layout_.columns[column], rows.blocks[row]))
        cook_cell(*sample, cell, sample->schema->counters[column], from, row, column);
    }
  }
  previous_ = sample;
  return sample;
}

}  // namespace winperf
