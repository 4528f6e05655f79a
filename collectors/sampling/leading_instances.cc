#include "collectors/sampling/leading_instances.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <string>
#include <utility>

namespace winperf {
namespace {

std::optional<std::size_t> column_called(const CountersetSchema& schema, const std::string& name) {
  for (std::size_t column = 0; column < schema.counters.size(); ++column)
    if (is_called(schema.counters[column], name)) return column;
  return std::nullopt;
}

// Below every value if there is none.
double rank_of(const CountersetSample& sample, std::size_t row, std::optional<std::size_t> column) {
  constexpr double kNone = -std::numeric_limits<double>::infinity();
  if (!column) return kNone;
  const std::size_t cell = sample.cell(row, *column);
  const bool has_value = sample.reason[cell] == NoValue::kNone && !std::isnan(sample.cooked[cell]);
  return has_value ? sample.cooked[cell] : kNone;
}

// The rows that stay, in their order; all of them if there is room.
std::vector<std::uint32_t> leading_rows(const CountersetSample& sample,
                                        const InstanceLimit& limit) {
  std::vector<std::uint32_t> rows;
  std::vector<std::uint32_t> rivals;
  for (std::uint32_t row = 0; row < sample.rows(); ++row)
    (is_total(sample.instances->instances[row]) ? rows : rivals).push_back(row);
  if (rivals.size() > limit.instances) {
    const auto column = limit.by.empty() ? std::nullopt : column_called(*sample.schema, limit.by);
    std::ranges::stable_sort(rivals, std::ranges::greater(),
                             [&](std::uint32_t row) { return rank_of(sample, row, column); });
    rivals.resize(limit.instances);
  }
  rows.insert(rows.end(), rivals.begin(), rivals.end());
  std::ranges::sort(rows);
  return rows;
}

// Of each column, whose cells lie together, those of some rows.
template <class Cell>
std::vector<Cell> cells_of(const std::vector<Cell>& cells, const std::vector<std::uint32_t>& rows,
                           std::size_t all_rows) {
  std::vector<Cell> some;
  some.reserve(cells.size() / all_rows * rows.size());
  for (std::size_t column = 0; column < cells.size(); column += all_rows)
    for (const std::uint32_t row : rows) some.push_back(cells[column + row]);
  return some;
}

std::shared_ptr<const InstanceSet> instances_of(std::shared_ptr<const InstanceSet> all,
                                                const std::vector<std::uint32_t>& rows) {
  auto set = std::make_shared<InstanceSet>();
  for (const std::uint32_t row : rows) set->instances.push_back(all->instances[row]);
  set->all = std::move(all);
  set->places = rows;
  return set;
}

}  // namespace

std::shared_ptr<const CountersetSample> LeadingInstances::keep(
    std::shared_ptr<const CountersetSample> sample, const std::optional<InstanceLimit>& limit) {
  if (!limit || !sample->schema->multi_instance || sample->rows() <= limit->instances)
    return sample;
  std::vector<std::uint32_t> rows = leading_rows(*sample, *limit);
  if (rows.size() == sample->rows()) return sample;
  if (all_ != sample->instances || rows_ != rows) {
    all_ = sample->instances;
    rows_ = std::move(rows);
    leading_ = instances_of(all_, rows_);
  }
  const std::size_t all = sample->rows();
  return std::make_shared<const CountersetSample>(
      CountersetSample{.schema = sample->schema,
                       .layout = sample->layout,
                       .instances = leading_,
                       .clocks = sample->clocks,
                       .own_clocks = cells_of(sample->own_clocks, rows_, all),
                       .raw = cells_of(sample->raw, rows_, all),
                       .cooked = cells_of(sample->cooked, rows_, all),
                       .reason = cells_of(sample->reason, rows_, all),
                       .more = cells_of(sample->more, rows_, all),
                       .instances_left_out = sample->rows() - rows_.size(),
                       .damage = sample->damage});
}

}  // namespace winperf
