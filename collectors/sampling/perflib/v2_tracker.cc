#include "collectors/sampling/perflib/v2_tracker.h"

#include <algorithm>
#include <limits>
#include <set>
#include <span>
#include <string_view>
#include <utility>

#include "collectors/base/ascii.h"
#include "collectors/base/os_code.h"
#include "collectors/model/raw_reading.h"
#include "collectors/sources/perflib_client.h"
#include "collectors/wire/name_table.h"
#include "collectors/wire/text.h"

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

namespace {

// Which columns of a table the parts of a counter are in.
struct ColumnPositions {
  std::optional<std::size_t> value, base, time, frequency;
};

std::optional<std::size_t> position_of(const V2Table& table, std::optional<std::uint32_t> id) {
  return id ? table.column_of(*id) : std::nullopt;
}

std::vector<ColumnPositions> positions_of(const V2Layout& layout, const V2Table& table) {
  std::vector<ColumnPositions> positions;
  for (const V2Column& column : layout.columns)
    positions.push_back({.value = table.column_of(column.id),
                         .base = position_of(table, column.base_id),
                         .time = position_of(table, column.time_id),
                         .frequency = position_of(table, column.frequency_id)});
  return positions;
}

V2Cell cell_at(const V2Table& table, std::size_t row, std::optional<std::size_t> column) {
  return column ? table.at(row, *column) : V2Cell{};
}

// The value, if it is there and has the width that the schema says.
V2Cell value_at(const V2Table& table, std::size_t row, std::optional<std::size_t> column,
                std::uint32_t size) {
  V2Cell cell = cell_at(table, row, column);
  if (cell.reason == NoValue::kNone && cell.bytes != size) cell.reason = NoValue::kBadSize;
  return cell;
}

// The values of counters with identity ids in a row.
auto values_at(const V2Table& table, std::size_t row) {
  return [&table, row](std::uint32_t id) {
    const V2Cell cell = cell_at(table, row, table.column_of(id));
    return cell.reason == NoValue::kNone ? std::optional(cell.value) : std::nullopt;
  };
}

// The counterset's clocks, with the counter's own instead of the object's.
Clocks own_clocks(Clocks clocks, const V2Table& table, std::size_t row,
                  const ColumnPositions& positions) {
  const V2Cell time = cell_at(table, row, positions.time);
  const V2Cell frequency = cell_at(table, row, positions.frequency);
  const bool known = time.reason == NoValue::kNone && frequency.reason == NoValue::kNone;
  clocks.object_time = {known ? static_cast<std::int64_t>(time.value) : 0};
  clocks.object_frequency = {known ? static_cast<std::int64_t>(frequency.value) : 0};
  return clocks;
}

void read_cell(CountersetSample& sample, std::size_t sample_row, std::size_t column,
               const V2Table& table, std::size_t row, const ColumnPositions& positions) {
  const CounterSchema& counter = sample.schema->counters[column];
  const std::size_t cell = sample.cell(sample_row, column);
  const auto bases = sample.more_column(sample.layout->columns[column].base);
  sample.raw[cell] = 0;
  if (!bases.empty()) bases[sample_row] = 0;
  if (!is_numeric(counter.type)) {
    sample.reason[cell] = NoValue::kNotNumeric;
    return;
  }
  const V2Cell value = value_at(table, row, positions.value, counter.size);
  if (value.reason != NoValue::kNone) {
    sample.reason[cell] = value.reason;
    return;
  }
  sample.raw[cell] = value.value;
  if (!counter.has_base) return;
  const V2Cell base = value_at(table, row, positions.base, counter.base_size);
  if (base.reason == NoValue::kNone) {
    bases[sample_row] = base.value;
  } else {
    sample.reason[cell] = NoValue::kNoBase;
  }
}

bool is_pattern(std::u16string_view name) {
  return name.find_first_of(u"*?") != std::u16string_view::npos;
}

// Windows answers with "no data" where no instance is active.
Error error_of(const v2::ResultView& result) {
  Error error = perflib_error(result.status(), "v2.result");
  if (OsCode{result.status()} == OsCode::kNoData) error.code = ErrorCode::kNotRunning;
  return error;
}

}  // namespace

V2Tracker::V2Tracker(std::shared_ptr<const V2Counterset> counterset, Selection selection)
    : counterset_(std::move(counterset)),
      selection_(std::move(selection)),
      layout_(build_v2_layout(*counterset_, selection_, sizes_)) {}

ReadResult V2Tracker::update(const v2::ResultView& result, const v2::CounterRequest& request,
                             const Clocks& clocks) {
  clocks_ = clocks;
  if (result.kind() == v2::ResultKind::kError) {
    const Error reason = error_of(result);
    if (has_instances() && reason.code == ErrorCode::kNotRunning)
      return Reading{.sample = without_instances()};
    return std::unexpected(ReadFailure{.error = reason});
  }
  V2Table table = read_v2_table(result, request.counter_id);
  aggregate_.apply(counterset_->registration, table);
  std::vector<Error> problems = std::move(table.problems);
  if (table.rows.empty() && table.cut_short)
    return std::unexpected(ReadFailure{.error = *table.cut_short, .problems = std::move(problems)});
  if (table.cut_short) problems.push_back(*table.cut_short);
  if (!has_instances() && table.rows.empty())
    return std::unexpected(
        ReadFailure{.error = {.code = ErrorCode::kNotRunning, .where = "v2.result"},
                    .problems = std::move(problems)});
  if (!has_instances() && table.rows.size() > 1)
    problems.push_back({.code = ErrorCode::kBadCount,
                        .where = "v2.instances",
                        .offset = result.offset(),
                        .actual = table.rows.size(),
                        .limit = 1});
  learn_sizes(table);
  if (has_instances()) read_instances(table, request);
  return Reading{.sample = sample_of(table), .problems = std::move(problems)};
}

std::shared_ptr<const CountersetSample> V2Tracker::sample_of(const V2Table& table) {
  auto sample = chain_.begin(layout_.schema, layout_.layout, instances_.set(), clocks_);
  sample->damage = table.cut_short;
  if (layout_.has_own_clocks) sample->own_clocks.resize(sample->reason.size());
  if (!has_instances())
    sample->owner = layout_.identity.any_process().and_then(values_at(table, 0));
  const std::vector<ColumnPositions> positions = positions_of(layout_, table);
  for (std::size_t row = 0; row < sample->rows(); ++row) {
    const std::size_t table_row = has_instances() ? instances_.positions()[row] : 0;
    for (std::size_t column = 0; column < sample->columns(); ++column) {
      const std::size_t cell = sample->cell(row, column);
      read_cell(*sample, row, column, table, table_row, positions[column]);
      if (layout_.has_own_clocks)
        sample->own_clocks[cell] = own_clocks(clocks_, table, table_row, positions[column]);
    }
  }
  return chain_.append(std::move(sample), selection_);
}

std::shared_ptr<const CountersetSample> V2Tracker::without_instances() {
  fingerprint_.clear();
  instances_.clear();
  return chain_.append(chain_.begin(layout_.schema, layout_.layout, instances_.set(), clocks_),
                       selection_);
}

// The first row that has a value decides; a value of another size has a reason instead.
void V2Tracker::learn_sizes(const V2Table& table) {
  bool changed = false;
  for (std::size_t column = 0; column < table.ids.size(); ++column) {
    for (std::size_t row = 0; row < table.rows.size(); ++row) {
      const V2Cell& cell = table.at(row, column);
      if (cell.reason != NoValue::kNone) continue;
      std::uint8_t& size = sizes_[table.ids[column]];
      changed = changed || size != cell.bytes;
      size = cell.bytes;
      break;
    }
  }
  if (changed) layout_ = build_v2_layout(*counterset_, selection_, sizes_);
}

std::vector<std::byte> V2Tracker::fingerprint_of(const V2Table& table) const {
  std::vector<std::byte> bytes;
  bytes.reserve(fingerprint_.size());
  for (std::size_t row = 0; row < table.rows.size(); ++row) {
    if (const auto& header = table.rows[row].header) {
      const auto more = header->bytes.bytes();
      bytes.insert(bytes.end(), more.begin(), more.end());
    }
    append_identity(bytes, layout_.identity.values(values_at(table, row)));
  }
  return bytes;
}

std::vector<InstanceSchema> V2Tracker::all_instances(const V2Table& table,
                                                     const v2::CounterRequest& request) const {
  std::vector<InstanceSchema> all(table.rows.size());
  for (std::size_t row = 0; row < all.size(); ++row) {
    InstanceSchema& instance = all[row];
    instance.ordinal = static_cast<std::uint32_t>(row);
    if (const auto& header = table.rows[row].header) {
      instance.name = header->name();
      instance.unique_id = header->id;
      if (instance.name.empty()) instance.name = std::to_string(header->id);
    } else if (!table.rows[row].added_name.empty()) {
      instance.name = table.rows[row].added_name;
    } else if (!is_pattern(request.instance_name)) {
      // A result without an instance answers a request for exactly one of them.
      instance.name = to_utf8(request.instance_name);
    }
    set_identity(instance, layout_.identity.values(values_at(table, row)));
  }
  return all;
}

void V2Tracker::read_instances(const V2Table& table, const v2::CounterRequest& request) {
  std::vector<std::byte> fingerprint = fingerprint_of(table);
  if (fingerprint == fingerprint_) return;
  fingerprint_ = std::move(fingerprint);
  instances_.select(all_instances(table, request), *layout_.schema, selection_);
}

}  // namespace winperf
