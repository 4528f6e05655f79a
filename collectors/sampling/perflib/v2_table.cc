#include "collectors/sampling/perflib/v2_table.h"

#include <algorithm>
#include <limits>
#include <set>
#include <string_view>
#include <utility>

#include "collectors/base/ascii.h"

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

namespace {

constexpr std::string_view kTotalName = "_Total";

bool has_total(const V2Table& table) {
  return std::ranges::any_of(table.rows, [](const V2Table::Row& row) {
    return row.header && equal_names(row.header->name(), kTotalName);
  });
}

// Whether the counter is another one's clock rather than a value, and so the same in all instances.
bool is_clock(const v2::CountersetRegistration& registration, std::uint32_t id) {
  return std::ranges::any_of(registration.counters, [id](const v2::CounterRegistration& counter) {
    return counter.perf_time_id == id || counter.perf_freq_id == id;
  });
}

// Whether its growth counts rather than its value, so that it may wrap. For a base, that depends on
// those whose base it is.
bool grows(const v2::CountersetRegistration& registration, const v2::CounterRegistration& counter) {
  const auto is_counted = [](const v2::CounterRegistration& other) {
    return describe(other.type).exposition == Exposition::kCounter;
  };
  bool is_base = false;
  for (const v2::CounterRegistration& other : registration.counters) {
    if (other.base_id != counter.id) continue;
    if (!is_counted(other)) return false;
    is_base = true;
  }
  return is_base || is_counted(counter);
}

std::uint64_t signed_average(std::uint64_t total, std::uint64_t count) {
  return static_cast<std::uint64_t>(static_cast<std::int64_t>(total) /
                                    static_cast<std::int64_t>(count));
}

}  // namespace

void V2Aggregate::Sum::add(const V2Cell& cell) {
  if (cell.reason != NoValue::kNone) {
    reason = cell.reason;
    return;
  }
  const auto number = static_cast<std::int64_t>(cell.value);
  minimum = count == 0 ? cell.value : std::min(minimum, cell.value);
  lowest = count == 0 ? number : std::min(lowest, number);
  maximum = std::max(maximum, cell.value);
  highest = count == 0 ? number : std::max(highest, number);
  total += cell.value;
  bytes = std::max(bytes, cell.bytes);
  ++count;
}

V2Cell V2Aggregate::Sum::result(const v2::CounterRegistration& counter, bool may_wrap) const {
  if (reason != NoValue::kNone) return {.reason = reason};
  if (count == 0) return {.reason = NoValue::kNotDelivered};
  // The raw values are the bits of doubles, which can't be added as integers.
  if (describe(counter.type).formula == Formula::kDouble)
    return {.reason = NoValue::kNotAggregated};
  const bool has_sign = is_signed(describe(counter.type), {}, bytes);
  V2Cell cell{.value = 0, .bytes = bytes, .reason = NoValue::kNone};
  switch (counter.aggregation) {
    case v2::Aggregation::kTotal:
      cell.value = total;
      break;
    case v2::Aggregation::kAverage:
      cell.value = has_sign ? signed_average(total, count) : total / count;
      break;
    case v2::Aggregation::kMinimum:
      cell.value = has_sign ? static_cast<std::uint64_t>(lowest) : minimum;
      break;
    case v2::Aggregation::kMaximum:
      cell.value = has_sign ? static_cast<std::uint64_t>(highest) : maximum;
      break;
    default:
      return {.reason = NoValue::kNotAggregated};
  }
  constexpr std::uint64_t kMax32 = std::numeric_limits<std::uint32_t>::max();
  if (bytes == sizeof(std::uint64_t) || cell.value <= kMax32) return cell;
  if (!may_wrap) return {.reason = NoValue::kNotAggregated};
  cell.value &= kMax32;
  return cell;
}

void V2Aggregate::apply(const v2::CountersetRegistration& registration, V2Table& table) {
  const v2::InstanceType type = registration.instance_type;
  if (!v2::adds_instances_up(type)) return;
  if (v2::remembers_vanished(type)) remember_vanished(table);
  if (v2::shows_instances(type)) {
    if (table.rows.empty() || has_total(table)) return;
    const std::vector<V2Cell> sum = add_up(registration, table);
    table.rows.push_back({.added_name = std::string(kTotalName)});
    table.cells.insert(table.cells.end(), sum.begin(), sum.end());
    return;
  }
  table.cells = add_up(registration, table);
  table.rows.assign(1, {});
}

void V2Aggregate::remember_vanished(const V2Table& table) {
  if (ids_ != table.ids) {
    ids_ = table.ids;
    last_.clear();
    vanished_.assign(ids_.size(), {});
  }
  std::map<Identity, std::vector<V2Cell>> now;
  for (std::size_t row = 0; row < table.rows.size(); ++row) {
    const auto& header = table.rows[row].header;
    if (!header) continue;
    const auto first = table.cells.begin() + static_cast<std::ptrdiff_t>(row * ids_.size());
    now.try_emplace({header->id, header->name()}, first,
                    first + static_cast<std::ptrdiff_t>(ids_.size()));
  }
  for (const auto& [identity, cells] : last_) {
    if (now.contains(identity)) continue;
    for (std::size_t column = 0; column < ids_.size(); ++column)
      vanished_[column].add(cells[column]);
  }
  last_ = std::move(now);
}

std::vector<V2Cell> V2Aggregate::add_up(const v2::CountersetRegistration& registration,
                                        const V2Table& table) const {
  std::vector<V2Cell> result;
  for (std::size_t column = 0; column < table.ids.size(); ++column) {
    const v2::CounterRegistration* const counter = registration.find(table.ids[column]);
    if (counter == nullptr) {
      result.push_back({.reason = NoValue::kNotDelivered});
      continue;
    }
    if (is_clock(registration, counter->id)) {
      result.push_back(table.rows.empty() ? V2Cell{} : table.at(0, column));
      continue;
    }
    Sum sum = vanished_.empty() ? Sum{} : vanished_[column];
    for (std::size_t row = 0; row < table.rows.size(); ++row) sum.add(table.at(row, column));
    result.push_back(sum.result(*counter, grows(registration, *counter)));
  }
  return result;
}

}  // namespace winperf
