// The arrays of samples that tests fill by hand.
#pragma once

#include <algorithm>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "collectors/model/sample.h"

namespace winperf::testing {

// Gives each counter a base, a total and a base total, whether or not its type needs them, all 0.
inline void give_all_arrays(CountersetSample& sample) {
  auto layout = std::make_shared<SampleLayout>(*layout_of(*sample.schema));
  const auto columns = static_cast<std::uint32_t>(layout->columns.size());
  for (std::uint32_t column = 0; column < columns; ++column) {
    layout->columns[column].base = column;
    layout->columns[column].total = columns + column;
    layout->columns[column].base_total = 2 * columns + column;
  }
  layout->more = 3 * columns;
  sample.layout = std::move(layout);
  sample.more.assign(sample.rows() * 3 * columns, 0);
}

// By cell, of a sample that has all arrays.
inline std::span<std::uint64_t> bases(CountersetSample& sample) {
  return std::span(sample.more).first(sample.raw.size());
}
inline std::span<std::uint64_t> totals(CountersetSample& sample) {
  return std::span(sample.more).subspan(sample.raw.size(), sample.raw.size());
}
inline std::span<std::uint64_t> base_totals(CountersetSample& sample) {
  return std::span(sample.more).last(sample.raw.size());
}

// A table of rows in the order of the sample's cells.
template <class Cell>
std::vector<Cell> by_rows(const CountersetSample& sample, const std::vector<Cell>& table) {
  std::vector<Cell> cells(table.size());
  for (std::size_t row = 0; row < sample.rows(); ++row)
    for (std::size_t column = 0; column < sample.columns(); ++column)
      cells.at(sample.cell(row, column)) = table.at(row * sample.columns() + column);
  return cells;
}

// The other way round.
template <class Cell>
std::vector<Cell> in_rows(const CountersetSample& sample, const std::vector<Cell>& cells) {
  std::vector<Cell> table;
  for (std::size_t row = 0; row < sample.rows(); ++row)
    for (std::size_t column = 0; column < sample.columns(); ++column)
      table.push_back(cells.at(sample.cell(row, column)));
  return table;
}

// Sets one of the arrays above from a table of rows.
inline void set_rows(const CountersetSample& sample, std::span<std::uint64_t> cells,
                     const std::vector<std::uint64_t>& table) {
  std::ranges::copy(by_rows(sample, table), cells.begin());
}

}  // namespace winperf::testing
