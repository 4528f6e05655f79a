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

// Of ids that are there twice the first one counts; the others are left out.
std::vector<bool> first_of_each(const std::vector<std::uint32_t>& ids, std::uint64_t offset,
                                std::vector<Error>& problems) {
  std::set<std::uint32_t> seen;
  std::vector<bool> first;
  for (const std::uint32_t id : ids) {
    first.push_back(seen.insert(id).second);
    if (first.back()) continue;
    problems.push_back({.code = ErrorCode::kDuplicateCounter,
                        .where = "v2.counters",
                        .offset = offset,
                        .actual = id});
  }
  return first;
}

}  // namespace

std::optional<std::size_t> V2Table::column_of(std::uint32_t id) const {
  const auto found = std::ranges::find(ids, id);
  if (found == ids.end()) return std::nullopt;
  return static_cast<std::size_t>(found - ids.begin());
}

V2Table read_v2_table(const v2::ResultView& result, std::uint32_t requested_counter,
                      std::vector<Error>& problems) {
  const std::vector<std::uint32_t> delivered =
      result.counter_ids().value_or(std::vector{requested_counter});
  const std::vector<bool> used = first_of_each(delivered, result.offset(), problems);
  V2Table table;
  for (std::size_t i = 0; i < delivered.size(); ++i)
    if (used[i]) table.ids.push_back(delivered[i]);

  v2::RowWalk walk = result.rows();
  v2::RowWalk::Row row;
  while (true) {
    const auto more = walk.next(row);
    if (!more) problems.push_back(more.error());
    if (!more || !*more) break;
    if (row.instance)
      if (const auto problem = row.instance->name_problem()) problems.push_back(*problem);
    table.rows.push_back({.header = row.instance});
    for (std::size_t i = 0; i < row.values.size(); ++i)
      if (used[i]) table.cells.push_back(cell_of(row.values[i]));
  }
  return table;
}

}  // namespace winperf
