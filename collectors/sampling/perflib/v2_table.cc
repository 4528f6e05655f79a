#include "collectors/sampling/perflib/v2_table.h"

#include <algorithm>
#include <set>

namespace winperf {
namespace {

V2Cell cell_of(const v2::CounterValue& value) {
  const auto number = value.number();
  if (!number) return {.reason = number.error()};
  return {.value = *number,
          .bytes = static_cast<std::uint8_t>(value.bytes()),
          .reason = NoValue::kNone};
}

// The positions of the values that get a column: if an id is delivered twice, the first one counts.
std::vector<bool> add_columns(V2Table& table, const std::vector<std::uint32_t>& delivered,
                              std::uint64_t offset) {
  std::vector<bool> used;
  std::set<std::uint32_t> seen;
  for (const std::uint32_t id : delivered) {
    used.push_back(seen.insert(id).second);
    if (used.back())
      table.ids.push_back(id);
    else
      table.problems.push_back({.code = ErrorCode::kDuplicateCounter,
                                .where = "v2.counters",
                                .offset = offset,
                                .actual = id});
  }
  return used;
}

}  // namespace

std::optional<std::size_t> V2Table::column_of(std::uint32_t id) const {
  const auto found = std::ranges::find(ids, id);
  if (found == ids.end()) return std::nullopt;
  return static_cast<std::size_t>(found - ids.begin());
}

V2Table read_v2_table(const v2::ResultView& result, std::uint32_t requested_counter) {
  V2Table table;
  const std::vector<bool> used = add_columns(
      table, result.counter_ids().value_or(std::vector{requested_counter}), result.offset());
  v2::RowWalk walk = result.rows();
  v2::RowWalk::Row row;
  while (true) {
    const auto more = walk.next(row);
    if (!more) table.cut_short = more.error();
    if (!more || !*more) break;
    if (row.instance)
      if (const auto problem = row.instance->name_problem()) table.problems.push_back(*problem);
    table.rows.push_back({.header = row.instance});
    for (std::size_t i = 0; i < row.values.size(); ++i)
      if (used[i]) table.cells.push_back(cell_of(row.values[i]));
  }
  return table;
}

}  // namespace winperf
