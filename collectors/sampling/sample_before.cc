#include "collectors/sampling/sample_before.h"

#include <algorithm>
#include <utility>

namespace winperf {
namespace {

template <class Cell>
std::span<const Cell> column_in(std::span<const Cell> cells, std::size_t rows, std::size_t column) {
  return cells.empty() ? cells : cells.subspan(column * rows, rows);
}

bool continues(const CounterSchema& before, const CounterSchema& now) {
  return before.type == now.type && before.size == now.size && before.has_base == now.has_base &&
         before.base_size == now.base_size;
}

// Columns are the same counter if both are the n-th definition with this index in their sample.
std::vector<SampleBefore::Place> match_columns(const CountersetSchema& before,
                                               const CountersetSchema& now) {
  std::vector<SampleBefore::Place> places(now.counters.size());
  std::vector<bool> taken(before.counters.size(), false);
  for (std::size_t column = 0; column < now.counters.size(); ++column) {
    const CounterSchema& counter = now.counters[column];
    for (std::uint32_t old = 0; old < before.counters.size(); ++old) {
      if (taken[old] || before.counters[old].index != counter.index) continue;
      taken[old] = true;
      if (continues(before.counters[old], counter))
        places[column].column = old;
      else
        places[column].type_changed = true;
      break;
    }
  }
  return places;
}

// Which rows of the sample before the current ones continue; empty: each is where it was.
std::vector<std::uint32_t> match_rows(const CountersetSample& before, const CountersetSample& now,
                                      const SelectedInstances* instances) {
  if (!now.schema->multi_instance) {
    const bool is_new = before.owner && now.owner && before.owner != now.owner;
    return is_new ? std::vector{kNewInstance} : std::vector<std::uint32_t>();
  }
  if (before.instances == now.instances) return {};
  return instances != nullptr
             ? instances->rows_in(before.instances)
             : match_instances(before.instances->instances, now.instances->instances);
}

// Rows that lie side by side before and now, of which there are few: instances seldom change
// places.
struct Run {
  std::uint32_t before = kNewInstance;  // the first of them, or kNewInstance
  std::uint32_t count = 0;
};

std::vector<Run> runs_of(std::span<const std::uint32_t> rows) {
  std::vector<Run> runs;
  for (const std::uint32_t row : rows) {
    const bool continues_run =
        !runs.empty() && (row == kNewInstance ? runs.back().before == kNewInstance
                                              : row == runs.back().before + runs.back().count &&
                                                    runs.back().before != kNewInstance);
    if (!continues_run) runs.push_back({.before = row});
    ++runs.back().count;
  }
  return runs;
}

// The cells of each column, in these rows. `none`: of a row that is new.
template <class Cell>
std::span<const Cell> take_rows(const std::vector<Cell>& from, std::size_t rows_before,
                                std::span<const Run> runs, std::size_t rows, const Cell& none,
                                std::vector<Cell>& to) {
  const std::size_t columns = from.size() / rows_before;
  to.resize(columns * rows);
  auto cell = to.begin();
  for (std::size_t column = 0; column < columns; ++column) {
    const Cell* const cells = from.data() + column * rows_before;
    for (const Run& run : runs)
      cell = run.before == kNewInstance ? std::fill_n(cell, run.count, none)
                                        : std::copy_n(cells + run.before, run.count, cell);
  }
  return to;
}

}  // namespace

RawSample RawSample::of(const CountersetSample& sample) {
  return {.layout = sample.layout.get(),
          .rows = sample.rows(),
          .clocks = &sample.clocks,
          .raw = sample.raw,
          .more = sample.more,
          .reason = sample.reason,
          .own_clocks = sample.own_clocks};
}

RawColumn RawSample::column(std::size_t column) const {
  return {.value = column_in(raw, rows, column),
          .base = more_column(layout->columns[column].base),
          .reason = column_in(reason, rows, column),
          .own_clocks = column_in(own_clocks, rows, column),
          .clocks = clocks};
}

std::span<const std::uint64_t> RawSample::more_column(std::uint32_t column) const {
  return column == SampleLayout::kNone ? std::span<const std::uint64_t>()
                                       : column_in(more, rows, column);
}

void SampleBefore::match(const CountersetSample& now, const SelectedInstances* instances) {
  matched_.reset();
  same_columns_ = false;
  places_.clear();
  if (sample_ == nullptr || sample_->schema->multi_instance != now.schema->multi_instance) return;
  same_columns_ = sample_->schema == now.schema;
  if (!same_columns_) places_ = match_columns(*sample_->schema, *now.schema);
  if (now.rows() == 0) return;
  const std::vector<std::uint32_t> rows = match_rows(*sample_, now, instances);
  matched_ = RawSample::of(*sample_);
  if (rows.empty()) return give_memory_back();
  const std::size_t rows_before = std::exchange(matched_->rows, rows.size());
  if (rows_before == 0) return matched_.reset();
  const std::vector<Run> runs = runs_of(rows);
  if (runs.size() == 1 && runs[0].before == kNewInstance) return matched_.reset();
  const auto take = [&](const auto& from, const auto& none, auto& to) {
    return take_rows(from, rows_before, runs, rows.size(), none, to);
  };
  matched_->raw = take(sample_->raw, std::uint64_t{0}, raw_);
  matched_->more = take(sample_->more, std::uint64_t{0}, more_);
  matched_->reason = take(sample_->reason, NoValue::kNotDelivered, reason_);
  matched_->own_clocks = take(sample_->own_clocks, sample_->clocks, own_clocks_);
}

// Most objects keep their instances, and then need no second copy of a sample.
void SampleBefore::give_memory_back() {
  std::vector<std::uint64_t>().swap(raw_);
  std::vector<std::uint64_t>().swap(more_);
  std::vector<NoValue>().swap(reason_);
  std::vector<Clocks>().swap(own_clocks_);
}

SampleBefore::Place SampleBefore::place_of(std::size_t column) const {
  Place place;
  if (same_columns_)
    place.column = static_cast<std::uint32_t>(column);
  else if (!places_.empty())
    place = places_[column];
  if (!matched_) place.column = SampleLayout::kNone;
  return place;
}

}  // namespace winperf
