#include "collectors/sampling/sample_chain.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>
#include <utility>

#include "collectors/formula/cook.h"
#include "collectors/sampling/selected_instances.h"

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

template <class Cell>
std::vector<Cell> cells_of(const std::vector<Cell>& cells, const std::vector<std::uint32_t>& rows,
                           std::size_t columns) {
  std::vector<Cell> some;
  if (cells.empty()) return some;  // clocks that counters don't have
  some.reserve(rows.size() * columns);
  for (const std::uint32_t row : rows) {
    const auto first = cells.begin() + static_cast<std::ptrdiff_t>(row * columns);
    some.insert(some.end(), first, first + static_cast<std::ptrdiff_t>(columns));
  }
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
  const std::size_t columns = sample->columns();
  return std::make_shared<const CountersetSample>(
      CountersetSample{.schema = sample->schema,
                       .instances = leading_,
                       .clocks = sample->clocks,
                       .own_clocks = cells_of(sample->own_clocks, rows_, columns),
                       .raw = cells_of(sample->raw, rows_, columns),
                       .base = cells_of(sample->base, rows_, columns),
                       .total = cells_of(sample->total, rows_, columns),
                       .base_total = cells_of(sample->base_total, rows_, columns),
                       .cooked = cells_of(sample->cooked, rows_, columns),
                       .reason = cells_of(sample->reason, rows_, columns),
                       .instances_left_out = sample->rows() - rows_.size(),
                       .damage = sample->damage});
}

std::uint64_t first_total(const CounterTypeInfo& type, std::uint64_t raw) {
  return type.formula == Formula::kDelta ? 0 : raw;
}

std::uint64_t next_total(const CounterTypeInfo& type, std::uint64_t previous_total,
                         std::uint64_t previous_raw, std::uint64_t raw, std::uint8_t bytes) {
  if (type.exposition != Exposition::kCounter) return raw;
  const auto step = growth(previous_raw, raw, bytes, NoValue::kCounterReset);
  return step ? previous_total + *step : first_total(type, raw);
}

std::uint64_t next_base_total(const CounterTypeInfo& type, std::uint64_t previous_total,
                              std::uint64_t previous_raw, std::uint64_t raw, std::uint8_t bytes) {
  if (type.exposition != Exposition::kCounter) return raw;
  const auto step = growth(previous_raw, raw, bytes, NoValue::kCounterReset);
  return step ? previous_total + *step : raw;
}

bool can_fall(const CounterTypeInfo& type) {
  return type.exposition != Exposition::kCounter || type.formula == Formula::kQueueLength ||
         type.formula == Formula::kSampleFraction;
}

void ResetDetector::add(const CounterTypeInfo& type, std::uint64_t before, std::uint64_t now,
                        std::uint32_t bytes) {
  if (now >= before || can_fall(type)) return;
  if (bytes != sizeof(std::uint32_t)) {
    wide_fell_ = true;
    return;
  }
  ++narrow_fell_;
  if (!growth(before, now, sizeof(std::uint32_t), NoValue::kCounterReset)) one_fell_far_ = true;
}

namespace {

// Where in the previous sample the cells are that the new cells continue.
struct Continuation {
  const CountersetSample* previous = nullptr;
  std::vector<std::uint32_t> rows{};     // previous row of each row, or kNewInstance
  std::vector<std::uint32_t> columns{};  // previous column of each column, or kNewInstance
  std::vector<bool> type_changed{};      // by column: the counter was there, but with another type
};

bool continues(const CounterSchema& before, const CounterSchema& now) {
  return before.type == now.type && before.size == now.size && before.has_base == now.has_base &&
         before.base_size == now.base_size;
}

// Columns are the same counter if both are the n-th definition with this index in their sample.
void match_columns(const CountersetSchema& before, const CountersetSchema& now,
                   Continuation& result) {
  result.columns.assign(now.counters.size(), kNewInstance);
  result.type_changed.assign(now.counters.size(), false);
  std::vector<bool> taken(before.counters.size(), false);
  for (std::size_t column = 0; column < now.counters.size(); ++column) {
    for (std::uint32_t old = 0; old < before.counters.size(); ++old) {
      if (taken[old] || before.counters[old].index != now.counters[column].index) continue;
      taken[old] = true;
      if (continues(before.counters[old], now.counters[column])) {
        result.columns[column] = old;
      } else {
        result.type_changed[column] = true;
      }
      break;
    }
  }
}

std::vector<std::uint32_t> same_positions(std::size_t count) {
  std::vector<std::uint32_t> positions(count);
  std::iota(positions.begin(), positions.end(), 0U);
  return positions;
}

Continuation find_continuation(const CountersetSample* previous, const CountersetSample& current) {
  if (previous == nullptr || previous->schema->multi_instance != current.schema->multi_instance)
    return {};
  Continuation result{.previous = previous};
  if (previous->schema == current.schema) {
    result.columns = same_positions(current.columns());
    result.type_changed.assign(current.columns(), false);
  } else {
    match_columns(*previous->schema, *current.schema, result);
  }
  if (!current.schema->multi_instance) {
    const bool is_new = previous->owner && current.owner && previous->owner != current.owner;
    result.rows.assign(1, is_new ? kNewInstance : 0);
  } else if (previous->instances == current.instances) {
    result.rows = same_positions(current.rows());
  } else {
    result.rows = match_instances(previous->instances->instances, current.instances->instances);
  }
  return result;
}

std::vector<CounterTypeInfo> types_of(const CountersetSchema& schema) {
  std::vector<CounterTypeInfo> types;
  for (const CounterSchema& counter : schema.counters) types.push_back(counter.info());
  return types;
}

Observation observation(const CountersetSample& sample, std::size_t cell,
                        const CounterSchema& counter) {
  return {.value = sample.raw[cell],
          .base = sample.base[cell],
          .value_bytes = static_cast<std::uint8_t>(counter.size),
          .base_bytes = static_cast<std::uint8_t>(counter.has_base ? counter.base_size : 0)};
}

// Whether the instance was reset since the previous sample, judging by its counters.
bool was_reset(const CountersetSample& sample, std::size_t row, const Continuation& from,
               const std::vector<CounterTypeInfo>& types) {
  if (from.previous == nullptr || from.rows[row] == kNewInstance) return false;
  ResetDetector detector;
  for (std::size_t column = 0; column < sample.columns(); ++column) {
    if (from.columns[column] == kNewInstance) continue;
    const std::size_t cell = sample.cell(row, column);
    const std::size_t old = from.previous->cell(from.rows[row], from.columns[column]);
    if (sample.raw[cell] >= from.previous->raw[old] || !has_raw(sample.reason[cell]) ||
        !has_raw(from.previous->reason[old]))
      continue;
    detector.add(types[column], from.previous->raw[old], sample.raw[cell],
                 sample.schema->counters[column].size);
  }
  return detector.was_reset();
}

// A total that was reset begins again from the counter's value, as that of an 8-byte counter does.
std::uint8_t width_for_total(std::uint8_t bytes, bool was_reset) {
  return was_reset ? static_cast<std::uint8_t>(sizeof(std::uint64_t)) : bytes;
}

void continue_totals(CountersetSample& sample, std::size_t cell, const CountersetSample& previous,
                     std::size_t old, const CounterSchema& counter, const CounterTypeInfo& info,
                     bool was_reset) {
  const Observation before = observation(previous, old, counter);
  Observation now = observation(sample, cell, counter);
  now.value_bytes = width_for_total(now.value_bytes, was_reset);
  now.base_bytes = width_for_total(now.base_bytes, was_reset);
  sample.total[cell] =
      next_total(info, previous.total[old], before.value, now.value, now.value_bytes);
  // A missing base isn't 0, so the next one can't be measured against it.
  const bool has_bases =
      previous.reason[old] != NoValue::kNoBase && sample.reason[cell] != NoValue::kNoBase;
  sample.base_total[cell] = has_bases ? next_base_total(info, previous.base_total[old], before.base,
                                                        now.base, now.base_bytes)
                                      : now.base;
}

// Whether the formula measures the base against that of the sample before, which has none.
bool lacks_previous_base(const CounterTypeInfo& info, NoValue previous) {
  return info.needs_previous && info.base != BaseKind::kNone && info.base != BaseKind::kMulti &&
         previous == NoValue::kNoBase;
}

void cook_cell(CountersetSample& sample, std::size_t cell, const CounterSchema& counter,
               const CounterTypeInfo& info, const Continuation& from, std::size_t row,
               std::size_t column, const CookOptions& options) {
  const bool paired = from.previous != nullptr && from.rows[row] != kNewInstance &&
                      from.columns[column] != kNewInstance;
  const std::size_t old =
      paired ? from.previous->cell(from.rows[row], from.columns[column]) : std::size_t{0};
  const bool has_previous = paired && has_raw(from.previous->reason[old]);
  const Observation now = observation(sample, cell, counter);
  const Observation before = has_previous ? observation(*from.previous, old, counter) : now;
  if (has_previous) {
    continue_totals(sample, cell, *from.previous, old, counter, info, options.was_reset);
  } else {
    sample.total[cell] = first_total(info, now.value);
    sample.base_total[cell] = now.base;
  }
  if (sample.reason[cell] != NoValue::kNone) return;

  const bool type_changed = from.previous != nullptr && from.type_changed[column];
  if (type_changed && info.needs_previous) {
    sample.reason[cell] = NoValue::kTypeChanged;
    return;
  }
  std::optional<Measurement> previous;
  if (has_previous && !lacks_previous_base(info, from.previous->reason[old]))
    previous = {before, from.previous->clocks_at(old)};
  CookOptions of_cell = options;
  of_cell.reading = &counter.reading;
  const auto cooked = cook(info, previous, {now, sample.clocks_at(cell)}, of_cell);
  if (cooked) {
    sample.cooked[cell] = *cooked;
  } else {
    sample.reason[cell] = cooked.error();
  }
}

}  // namespace

std::shared_ptr<CountersetSample> make_raw_sample(std::shared_ptr<const CountersetSchema> schema,
                                                  std::shared_ptr<const InstanceSet> instances,
                                                  const Clocks& clocks) {
  auto sample = std::make_shared<CountersetSample>();
  sample->schema = std::move(schema);
  sample->instances = std::move(instances);
  sample->clocks = clocks;
  const std::size_t cells = sample->rows() * sample->columns();
  for (auto* column : {&sample->raw, &sample->base, &sample->total, &sample->base_total})
    column->resize(cells);
  sample->cooked.resize(cells);
  sample->reason.resize(cells, NoValue::kNone);
  return sample;
}

std::shared_ptr<const CountersetSample> SampleChain::append(std::shared_ptr<CountersetSample> raw,
                                                            const Selection& selection) {
  if (raw->owner.value_or(0) == 0)
    raw->owner = previous_ != nullptr ? previous_->owner : std::nullopt;
  const Continuation from = find_continuation(previous_.get(), *raw);
  if (previous_ == nullptr || previous_->schema != raw->schema) types_ = types_of(*raw->schema);
  for (std::size_t row = 0; row < raw->rows(); ++row) {
    CookOptions of_row = selection.cook;
    of_row.was_reset = was_reset(*raw, row, from, types_);
    for (std::size_t column = 0; column < raw->columns(); ++column) {
      const std::size_t cell = raw->cell(row, column);
      if (has_raw(raw->reason[cell]))
        cook_cell(*raw, cell, raw->schema->counters[column], types_[column], from, row, column,
                  of_row);
    }
  }
  previous_ = std::move(raw);
  return leading_.keep(previous_, selection.limit);
}

}  // namespace winperf
