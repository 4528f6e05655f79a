#include "collectors/sampling/perflib/v2_tracker.h"

#include <span>
#include <string_view>
#include <utility>

#include "collectors/sampling/instance_matcher.h"
#include "collectors/wire/text.h"

namespace winperf {
namespace {

// Where the parts of a column are in the table at hand.
struct ColumnPlaces {
  std::optional<std::size_t> value, base, time, frequency;
};

std::optional<std::size_t> place_of(const V2Table& table, std::optional<std::uint32_t> id) {
  return id ? table.column_of(*id) : std::nullopt;
}

std::vector<ColumnPlaces> places_of(const V2Layout& layout, const V2Table& table) {
  std::vector<ColumnPlaces> places;
  for (const V2Column& column : layout.columns)
    places.push_back({table.column_of(column.id), place_of(table, column.base_id),
                      place_of(table, column.time_id), place_of(table, column.frequency_id)});
  return places;
}

V2Cell cell_at(const V2Table& table, std::size_t row, std::optional<std::size_t> column) {
  return column ? table.at(row, *column) : V2Cell{};
}

// The value, if it is there and of the width that the schema says.
V2Cell value_at(const V2Table& table, std::size_t row, std::optional<std::size_t> column,
                std::uint32_t size) {
  V2Cell cell = cell_at(table, row, column);
  if (cell.reason == NoValue::kNone && cell.bytes != size) cell.reason = NoValue::kBadSize;
  return cell;
}

std::optional<std::uint64_t> identity_at(const V2Table& table, std::size_t row,
                                         std::optional<std::uint32_t> id) {
  const V2Cell cell = cell_at(table, row, place_of(table, id));
  return cell.reason == NoValue::kNone ? std::optional(cell.value) : std::nullopt;
}

// The counterset's clocks, with the counter's own in place of the object's.
Clocks own_clocks(Clocks clocks, const V2Table& table, std::size_t row,
                  const ColumnPlaces& places) {
  const V2Cell time = cell_at(table, row, places.time);
  const V2Cell frequency = cell_at(table, row, places.frequency);
  const bool known = time.reason == NoValue::kNone && frequency.reason == NoValue::kNone;
  clocks.object_time = {known ? static_cast<std::int64_t>(time.value) : 0};
  clocks.object_frequency = {known ? static_cast<std::int64_t>(frequency.value) : 0};
  return clocks;
}

void read_cell(CountersetSample& sample, std::size_t cell, const CounterSchema& counter,
               const V2Table& table, std::size_t row, const ColumnPlaces& places) {
  if (!is_numeric(counter.type)) {
    sample.reason[cell] = NoValue::kNotNumeric;
    return;
  }
  const V2Cell value = value_at(table, row, places.value, counter.size);
  if (value.reason != NoValue::kNone) {
    sample.reason[cell] = value.reason;
    return;
  }
  sample.raw[cell] = value.value;
  if (!counter.has_base) return;
  const V2Cell base = value_at(table, row, places.base, counter.base_size);
  sample.base[cell] = base.value;
  if (base.reason != NoValue::kNone) sample.reason[cell] = NoValue::kNoBase;
}

template <class Integer>
void append(std::vector<std::byte>& bytes, Integer value) {
  const auto* const first = reinterpret_cast<const std::byte*>(&value);
  bytes.insert(bytes.end(), first, first + sizeof value);
}

bool is_pattern(std::u16string_view name) {
  return name.find_first_of(u"*?") != std::u16string_view::npos;
}

}  // namespace

V2Tracker::V2Tracker(std::shared_ptr<const V2Counterset> counterset, Selection selection)
    : counterset_(std::move(counterset)),
      selection_(std::move(selection)),
      layout_(build_v2_layout(*counterset_, selection_, sizes_)) {}

std::expected<std::shared_ptr<const CountersetSample>, Error> V2Tracker::update(
    const v2::ResultView& result, const v2::CounterRequest& request, const Clocks& clocks,
    std::vector<Error>& problems) {
  const bool multi_instance = layout_.schema->multi_instance;
  clocks_ = clocks;
  if (result.kind() == v2::ResultKind::kError) {
    const Error reason = perflib_error(result.status(), "v2.result");
    // A counterset with instances of which none is there right now has an empty sample.
    if (!multi_instance || reason.code != ErrorCode::kNotRunning) return std::unexpected(reason);
    return without_instances();
  }
  const std::size_t problems_before = problems.size();
  V2Table table = read_v2_table(result, request.counter_id, problems);
  aggregate_.apply(counterset_->registration, table);
  if (table.rows.empty() && problems.size() > problems_before && result.row_count() != 0) {
    const Error reason = problems.back();
    problems.pop_back();
    return std::unexpected(reason);
  }
  if (!multi_instance && table.rows.empty())
    return std::unexpected(Error{.code = ErrorCode::kNotRunning, .where = "v2.result"});
  if (!multi_instance && table.rows.size() > 1)
    problems.push_back({.code = ErrorCode::kBadCount,
                        .where = "v2.instances",
                        .offset = result.offset(),
                        .actual = table.rows.size(),
                        .limit = 1});
  learn_sizes(table);
  if (multi_instance) read_instances(table, request);

  auto sample = make_raw_sample(layout_.schema, set_, clocks);
  if (layout_.has_own_clocks) sample->own_clocks.resize(sample->reason.size());
  const std::vector<ColumnPlaces> places = places_of(layout_, table);
  for (std::size_t row = 0; row < sample->rows(); ++row) {
    const std::size_t table_row = multi_instance ? selected_[row] : 0;
    for (std::size_t column = 0; column < sample->columns(); ++column) {
      const std::size_t cell = sample->cell(row, column);
      read_cell(*sample, cell, layout_.schema->counters[column], table, table_row, places[column]);
      if (layout_.has_own_clocks)
        sample->own_clocks[cell] = own_clocks(clocks, table, table_row, places[column]);
    }
  }
  return chain_.append(std::move(sample), selection_.cook);
}

std::shared_ptr<const CountersetSample> V2Tracker::without_instances() {
  read_instances({}, {});
  return chain_.append(make_raw_sample(layout_.schema, set_, clocks_), selection_.cook);
}

// The first row that has a value decides; where another one disagrees, that one has none.
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
    for (const auto& id : {layout_.process_id, layout_.thread_id, layout_.started}) {
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
    instance.process_id = identity_at(table, row, layout_.process_id);
    instance.thread_id = identity_at(table, row, layout_.thread_id);
    // Without a process id ("Idle", "_Total") the start time may move with every sample.
    if (instance.process_id.value_or(0) != 0)
      instance.started = identity_at(table, row, layout_.started);
  }
  return all;
}

void V2Tracker::read_instances(const V2Table& table, const v2::CounterRequest& request) {
  std::vector<std::byte> fingerprint = fingerprint_of(table);
  if (fingerprint == fingerprint_ && !fingerprint.empty()) return;
  fingerprint_ = std::move(fingerprint);
  std::vector<InstanceSchema> all = all_instances(table, request);
  number_duplicates(all);

  auto set = std::make_shared<InstanceSet>();
  selected_.clear();
  for (InstanceSchema& instance : all) {
    if (selection_.instance_id && instance.unique_id != selection_.instance_id) continue;
    if (selection_.instances && !selection_.instances(instance.name)) continue;
    selected_.push_back(instance.ordinal);
    set->instances.push_back(std::move(instance));
  }
  if (set->instances != set_->instances) set_ = std::move(set);
}

}  // namespace winperf
