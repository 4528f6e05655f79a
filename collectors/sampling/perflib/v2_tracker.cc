#include "collectors/sampling/perflib/v2_tracker.h"

#include <algorithm>
#include <span>
#include <string_view>
#include <utility>

#include "collectors/base/os_code.h"
#include "collectors/model/raw_reading.h"
#include "collectors/sources/perflib_client.h"
#include "collectors/wire/name_table.h"
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

// Without the values of its identity counters.
InstanceSchema instance_of(const v2::InstanceHeader& header) {
  InstanceSchema instance;
  instance.name = header.name();
  instance.unique_id = header.id;
  if (instance.name.empty()) instance.name = std::to_string(header.id);
  return instance;
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
  if (auto sample = sample_of_rows(result, request)) return Reading{.sample = std::move(sample)};
  rows_.forget();
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
  if (problems.empty()) learn_rows(result, request);
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
  return chain_.append(std::move(sample), selection_, &instances_);
}

std::shared_ptr<const CountersetSample> V2Tracker::without_instances() {
  rows_.forget();
  known_.forget();
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

std::vector<InstanceSchema> V2Tracker::all_instances(const V2Table& table,
                                                     const v2::CounterRequest& request) const {
  std::vector<InstanceSchema> all(table.rows.size());
  for (std::size_t row = 0; row < all.size(); ++row) {
    InstanceSchema& instance = all[row];
    instance.ordinal = static_cast<std::uint32_t>(row);
    if (const auto& header = table.rows[row].header) {
      instance = instance_of(*header);
      instance.ordinal = static_cast<std::uint32_t>(row);
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
  known_.begin(layout_.identity.any());
  known_places_.clear();
  for (std::size_t row = 0; row < table.rows.size(); ++row) {
    const auto& header = table.rows[row].header;
    const RawIdentity identity = stable(layout_.identity.values(values_at(table, row)));
    known_places_.push_back(
        known_.add(header ? header->bytes.bytes() : std::span<const std::byte>(),
                   layout_.identity.any() ? &identity : nullptr));
  }
  if (!known_.end())
    instances_.select(all_instances(table, request), *layout_.schema, selection_, known_places_);
}

void V2Tracker::learn_rows(const v2::ResultView& result, const v2::CounterRequest& request) {
  if (v2::adds_instances_up(counterset_->registration.instance_type) ||
      has_instances() != result.has_instances() || (!has_instances() && result.row_count() != 1))
    return;
  rows_.learn(result, request.counter_id);
  // Only of a counter that is shown does the type say whether it is a number.
  const auto place = [this](std::optional<std::uint32_t> id, CounterType type = {}) {
    return id ? rows_.place_of(*id, type) : std::nullopt;
  };
  places_.clear();
  for (std::size_t i = 0; i < layout_.columns.size(); ++i) {
    const V2Column& column = layout_.columns[i];
    places_.push_back({.value = place(column.id, layout_.schema->counters[i].type),
                       .base = place(column.base_id),
                       .time = place(column.time_id),
                       .frequency = place(column.frequency_id)});
  }
  identity_ = {.process_id = place(layout_.identity.process_id),
               .thread_id = place(layout_.identity.thread_id),
               .owner = place(layout_.identity.owner),
               .started = place(layout_.identity.started)};
}

// False if the name of a new instance has a problem.
bool V2Tracker::read_row_instances() {
  known_.begin(layout_.identity.any());
  known_places_.clear();
  for (std::size_t row = 0; row < rows_.instances().size(); ++row) {
    const v2::InstanceHeader& header = rows_.instances()[row];
    RawIdentity identity;
    if (layout_.identity.any()) identity = stable(identity_.values(values_in(rows_.blocks()[row])));
    const std::uint32_t place =
        known_.add(header.bytes.bytes(), layout_.identity.any() ? &identity : nullptr);
    if (place == kNewInstance && header.name_problem()) {
      known_.forget();
      return false;
    }
    known_places_.push_back(place);
  }
  if (!known_.end()) instances_.select(all_instances(), *layout_.schema, selection_, known_places_);
  return true;
}

std::vector<InstanceSchema> V2Tracker::all_instances() const {
  std::vector<InstanceSchema> all;
  all.reserve(known_places_.size());
  for (std::size_t row = 0; row < known_places_.size(); ++row) {
    const std::uint32_t place = known_places_[row];
    const InstanceSchema* const known =
        place == kNewInstance ? nullptr : instances_.at_position(place);
    if (known != nullptr) {
      all.push_back(*known);
    } else {
      all.push_back(instance_of(rows_.instances()[row]));
      set_identity(all.back(), identity_.values(values_in(rows_.blocks()[row])));
    }
    all.back().ordinal = static_cast<std::uint32_t>(row);
  }
  return all;
}

const CounterBlocks& V2Tracker::selected_blocks() {
  if (!has_instances() || instances_.positions().size() == rows_.blocks().size())
    return rows_.blocks();
  some_.select_from(rows_.blocks(), instances_.positions());
  return some_;
}

std::shared_ptr<const CountersetSample> V2Tracker::sample_of_rows(
    const v2::ResultView& result, const v2::CounterRequest& request) {
  if (!rows_.follow(result, request.counter_id)) return nullptr;
  if (has_instances() ? !read_row_instances() : rows_.blocks().size() != 1) return nullptr;
  auto sample = chain_.begin(layout_.schema, layout_.layout, instances_.set(), clocks_);
  const CounterBlocks& blocks = selected_blocks();
  if (!has_instances()) sample->owner = identity_.any_process().and_then(values_in(blocks[0]));
  for (std::size_t column = 0; column < sample->columns(); ++column)
    read_column(*sample, column, blocks);
  if (layout_.has_own_clocks) {
    sample->own_clocks.resize(sample->reason.size());
    for (std::size_t column = 0; column < sample->columns(); ++column)
      read_own_clocks(*sample, column, blocks);
  }
  return chain_.append(std::move(sample), selection_, &instances_);
}

void V2Tracker::read_column(CountersetSample& sample, std::size_t column,
                            const CounterBlocks& blocks) const {
  const std::size_t rows = sample.rows();
  const CounterSchema& counter = sample.schema->counters[column];
  const auto values = std::span(sample.raw).subspan(column * rows, rows);
  const auto reasons = std::span(sample.reason).subspan(column * rows, rows);
  const auto bases = sample.more_column(sample.layout->columns[column].base);
  const RowPlaces& places = places_[column];
  std::ranges::fill(bases, 0);
  if (!places.value) {
    std::ranges::fill(values, 0);
    std::ranges::fill(reasons,
                      is_numeric(counter.type) ? NoValue::kNotDelivered : NoValue::kNotNumeric);
    return;
  }
  blocks.read(*places.value, values, reasons);
  if (places.base)
    blocks.read_base(*places.base, bases, reasons);
  else if (counter.has_base)
    std::ranges::replace_if(reasons, has_raw, NoValue::kNoBase);
}

void V2Tracker::read_own_clocks(CountersetSample& sample, std::size_t column,
                                const CounterBlocks& blocks) const {
  const auto read = [](const CounterDefinition& place, const CounterBlockView& block) {
    return static_cast<std::int64_t>(block.read(place).value_or(0));
  };
  const RowPlaces& places = places_[column];
  for (std::size_t row = 0; row < sample.rows(); ++row) {
    Clocks& clocks = sample.own_clocks[sample.cell(row, column)];
    clocks = clocks_;
    const bool known = places.time && places.frequency;
    clocks.object_time = {known ? read(*places.time, blocks[row]) : 0};
    clocks.object_frequency = {known ? read(*places.frequency, blocks[row]) : 0};
  }
}

}  // namespace winperf
