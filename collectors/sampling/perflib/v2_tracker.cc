#include "collectors/sampling/perflib/v2_tracker.h"

#include <span>
#include <string_view>
#include <utility>

#include "collectors/base/os_code.h"
#include "collectors/wire/text.h"

namespace winperf {
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

std::optional<std::uint64_t> identity_at(const V2Table& table, std::size_t row,
                                         std::optional<std::uint32_t> id) {
  const V2Cell cell = cell_at(table, row, position_of(table, id));
  return cell.reason == NoValue::kNone ? std::optional(cell.value) : std::nullopt;
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

void read_cell(CountersetSample& sample, std::size_t cell, const CounterSchema& counter,
               const V2Table& table, std::size_t row, const ColumnPositions& positions) {
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
    sample.base[cell] = base.value;
  } else {
    sample.reason[cell] = NoValue::kNoBase;
  }
}

template <class Integer>
void append(std::vector<std::byte>& bytes, Integer value) {
  const auto* const first = reinterpret_cast<const std::byte*>(&value);
  bytes.insert(bytes.end(), first, first + sizeof value);
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
  auto sample = make_raw_sample(layout_.schema, instances_.set(), clocks_);
  sample->damage = table.cut_short;
  if (layout_.has_own_clocks) sample->own_clocks.resize(sample->reason.size());
  if (!has_instances())
    sample->owner = identity_at(table, 0, layout_.owner ? layout_.owner : layout_.process_id);
  const std::vector<ColumnPositions> positions = positions_of(layout_, table);
  for (std::size_t row = 0; row < sample->rows(); ++row) {
    const std::size_t table_row = has_instances() ? instances_.positions()[row] : 0;
    for (std::size_t column = 0; column < sample->columns(); ++column) {
      const std::size_t cell = sample->cell(row, column);
      read_cell(*sample, cell, layout_.schema->counters[column], table, table_row,
                positions[column]);
      if (layout_.has_own_clocks)
        sample->own_clocks[cell] = own_clocks(clocks_, table, table_row, positions[column]);
    }
  }
  return leading_.keep(chain_.append(std::move(sample), selection_.cook), selection_.limit);
}

std::shared_ptr<const CountersetSample> V2Tracker::without_instances() {
  fingerprint_.clear();
  instances_.clear();
  return chain_.append(make_raw_sample(layout_.schema, instances_.set(), clocks_), selection_.cook);
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
    for (const auto& id : {layout_.process_id, layout_.thread_id, layout_.owner, layout_.started}) {
      const auto value = identity_at(table, row, id);
      append(bytes, value.has_value());
      append(bytes, value.value_or(0));
    }
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
    set_identity(instance, {.process_id = identity_at(table, row, layout_.process_id),
                            .thread_id = identity_at(table, row, layout_.thread_id),
                            .owner = identity_at(table, row, layout_.owner),
                            .started = identity_at(table, row, layout_.started)});
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
