#include "collectors/sampling/sample_chain.h"

#include <cstdint>
#include <span>
#include <utility>

#include "collectors/sampling/totals.h"

namespace winperf {
namespace {

ColumnToCook column_to_cook(const CountersetSample& sample, const RawSample& now,
                            std::size_t column, const SampleBefore& before) {
  const CounterSchema& counter = sample.schema->counters[column];
  const SampleBefore::Place place = before.place_of(column);
  const bool has_before = place.column != SampleLayout::kNone;
  return {.type = sample.layout->columns[column].type,
          .reading = counter.reading,
          .value_bytes = counter.size,
          .base_bytes = counter.has_base ? counter.base_size : 0,
          .now = now.column(column),
          .before = has_before ? before.rows().column(place.column) : RawColumn{},
          .type_changed = place.type_changed,
          .was_reset = {}};
}

// A counter that continues another one is of the same type, so both have the same totals.
void continue_column(CountersetSample& sample, std::size_t column, const ColumnToCook& work,
                     const SampleBefore& before) {
  const auto totals_before = [&](std::uint32_t SampleLayout::Column::* totals) {
    if (!work.has_before()) return std::span<const std::uint64_t>();
    const RawSample& rows = before.rows();
    return rows.more_column(rows.layout->columns[before.place_of(column).column].*totals);
  };
  const SampleLayout::Column& place = sample.layout->columns[column];
  if (place.total != SampleLayout::kNone)
    continue_totals(work, totals_before(&SampleLayout::Column::total),
                    sample.more_column(place.total));
  if (place.base_total != SampleLayout::kNone)
    continue_base_totals(work, totals_before(&SampleLayout::Column::base_total),
                         sample.more_column(place.base_total));
}

}  // namespace

std::shared_ptr<CountersetSample> SampleChain::begin(std::shared_ptr<const CountersetSchema> schema,
                                                     std::shared_ptr<const SampleLayout> layout,
                                                     std::shared_ptr<const InstanceSet> instances,
                                                     const Clocks& clocks) {
  auto sample = pool_.take();
  prepare(*sample, std::move(schema), std::move(layout), std::move(instances), clocks);
  return sample;
}

std::shared_ptr<const CountersetSample> SampleChain::append(std::shared_ptr<CountersetSample> raw,
                                                            const Selection& selection,
                                                            const SelectedInstances* instances) {
  CountersetSample& sample = *raw;
  if (sample.owner.value_or(0) == 0)
    sample.owner = before_.get() != nullptr ? before_.get()->owner : std::nullopt;
  before_.match(sample, instances);
  const RawSample now = RawSample::of(sample);
  const auto cells_of = [&](auto& cells, std::size_t column) {
    return std::span(cells).subspan(column * now.rows, now.rows);
  };
  columns_.clear();
  columns_.reserve(sample.columns());
  ResetRows resets(now.rows);
  for (std::size_t column = 0; column < sample.columns(); ++column) {
    ColumnToCook& work = columns_.emplace_back(column_to_cook(sample, now, column, before_));
    ColumnCooker::begin(work, cells_of(sample.cooked, column));
    resets.add(work);
  }
  const std::vector<std::uint8_t> was_reset = resets.take();
  for (std::size_t column = 0; column < sample.columns(); ++column) {
    ColumnToCook& work = columns_[column];
    work.was_reset = was_reset;
    work.is_plain = is_plain(work);
    continue_column(sample, column, work, before_);
    cooker_.cook(work, selection.cook, cells_of(sample.cooked, column),
                 cells_of(sample.reason, column));
  }
  columns_.clear();
  before_.set(std::move(raw));
  return leading_.keep(before_.get(), selection.limit);
}

}  // namespace winperf
