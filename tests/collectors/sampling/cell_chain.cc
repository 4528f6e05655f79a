#include "tests/collectors/sampling/cell_chain.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "collectors/sampling/selected_instances.h"

namespace winperf::by_cell {
namespace {

std::uint64_t first_total(const CounterTypeInfo& type, std::uint64_t raw) {
  return type.formula == Formula::kDelta ? 0 : raw;
}

std::uint64_t next_total(const CounterTypeInfo& type, std::uint64_t previous_total,
                         std::uint64_t previous_raw, std::uint64_t raw, std::uint8_t bytes) {
  if (type.exposition != Exposition::kCounter) return raw;
  const auto step = by_cell::growth(previous_raw, raw, bytes, NoValue::kCounterReset);
  return step ? previous_total + *step : first_total(type, raw);
}

std::uint64_t next_base_total(const CounterTypeInfo& type, std::uint64_t previous_total,
                              std::uint64_t previous_raw, std::uint64_t raw, std::uint8_t bytes) {
  if (type.exposition != Exposition::kCounter) return raw;
  const auto step = by_cell::growth(previous_raw, raw, bytes, NoValue::kCounterReset);
  return step ? previous_total + *step : raw;
}

bool can_fall(const CounterTypeInfo& type) {
  return type.exposition != Exposition::kCounter || type.formula == Formula::kQueueLength ||
         type.formula == Formula::kSampleFraction;
}

class ResetDetector {
 public:
  // A counter of the instance: its raw value in the sample before and now, and its width.
  void add(const CounterTypeInfo& type, std::uint64_t before, std::uint64_t now,
           std::uint32_t bytes);
  bool was_reset() const { return wide_fell_ || (narrow_fell_ > 1 && one_fell_far_); }

 private:
  bool wide_fell_ = false;
  bool one_fell_far_ = false;
  std::uint32_t narrow_fell_ = 0;
};

void ResetDetector::add(const CounterTypeInfo& type, std::uint64_t before, std::uint64_t now,
                        std::uint32_t bytes) {
  if (now >= before || can_fall(type)) return;
  if (bytes != sizeof(std::uint32_t)) {
    wide_fell_ = true;
    return;
  }
  ++narrow_fell_;
  if (!by_cell::growth(before, now, sizeof(std::uint32_t), NoValue::kCounterReset))
    one_fell_far_ = true;
}

// Where in the previous sample the cells are that the new cells continue.
struct Continuation {
  const CellSample* previous = nullptr;
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

Continuation find_continuation(const CellSample* previous, const CellSample& current) {
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

Observation observation(const CellSample& sample, std::size_t cell, const CounterSchema& counter) {
  return {.value = sample.raw[cell],
          .base = sample.base[cell],
          .value_bytes = static_cast<std::uint8_t>(counter.size),
          .base_bytes = static_cast<std::uint8_t>(counter.has_base ? counter.base_size : 0)};
}

// Whether the instance was reset since the previous sample, judging by its counters.
bool was_reset(const CellSample& sample, std::size_t row, const Continuation& from) {
  if (from.previous == nullptr || from.rows[row] == kNewInstance) return false;
  ResetDetector detector;
  for (std::size_t column = 0; column < sample.columns(); ++column) {
    if (from.columns[column] == kNewInstance) continue;
    const std::size_t cell = sample.cell(row, column);
    const std::size_t old = from.previous->cell(from.rows[row], from.columns[column]);
    if (sample.raw[cell] >= from.previous->raw[old] || !has_raw(sample.reason[cell]) ||
        !has_raw(from.previous->reason[old]))
      continue;
    const CounterSchema& counter = sample.schema->counters[column];
    detector.add(counter.info(), from.previous->raw[old], sample.raw[cell], counter.size);
  }
  return detector.was_reset();
}

// A total that was reset begins again from the counter's value, as that of an 8-byte counter does.
std::uint8_t width_for_total(std::uint8_t bytes, bool was_reset) {
  return was_reset ? static_cast<std::uint8_t>(sizeof(std::uint64_t)) : bytes;
}

void continue_totals(CellSample& sample, std::size_t cell, const CellSample& previous,
                     std::size_t old, const CounterSchema& counter, bool was_reset) {
  const CounterTypeInfo info = counter.info();
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

void cook_cell(CellSample& sample, std::size_t cell, const CounterSchema& counter,
               const Continuation& from, std::size_t row, std::size_t column,
               const CookOptions& options) {
  const bool paired = from.previous != nullptr && from.rows[row] != kNewInstance &&
                      from.columns[column] != kNewInstance;
  const std::size_t old =
      paired ? from.previous->cell(from.rows[row], from.columns[column]) : std::size_t{0};
  const bool has_previous = paired && has_raw(from.previous->reason[old]);
  const Observation now = observation(sample, cell, counter);
  const Observation before = has_previous ? observation(*from.previous, old, counter) : now;
  const CounterTypeInfo info = counter.info();
  if (has_previous) {
    continue_totals(sample, cell, *from.previous, old, counter, options.was_reset);
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

std::shared_ptr<CellSample> cells_of(const CountersetSample& raw) {
  auto sample = std::make_shared<CellSample>();
  sample->schema = raw.schema;
  sample->instances = raw.instances;
  sample->clocks = raw.clocks;
  sample->owner = raw.owner;
  const std::size_t cells = raw.raw.size();
  sample->total.resize(cells);
  sample->base_total.resize(cells);
  sample->cooked.resize(cells);
  for (std::size_t row = 0; row < raw.rows(); ++row) {
    for (std::size_t column = 0; column < raw.columns(); ++column) {
      const std::size_t cell = raw.cell(row, column);
      sample->raw.push_back(raw.raw[cell]);
      sample->base.push_back(raw.base_at(cell));
      sample->reason.push_back(raw.reason[cell]);
      if (!raw.own_clocks.empty()) sample->own_clocks.push_back(raw.own_clocks[cell]);
    }
  }
  return sample;
}

std::shared_ptr<const CellSample> CellChain::append(std::shared_ptr<CellSample> sample,
                                                    bool cap_percent) {
  if (sample->owner.value_or(0) == 0)
    sample->owner = previous_ != nullptr ? previous_->owner : std::nullopt;
  const Continuation from = find_continuation(previous_.get(), *sample);
  for (std::size_t row = 0; row < sample->rows(); ++row) {
    CookOptions of_row = CookOptions{.cap_percent = cap_percent};
    of_row.was_reset = was_reset(*sample, row, from);
    for (std::size_t column = 0; column < sample->columns(); ++column) {
      const std::size_t cell = sample->cell(row, column);
      if (has_raw(sample->reason[cell]))
        cook_cell(*sample, cell, sample->schema->counters[column], from, row, column, of_row);
    }
  }
  previous_ = std::move(sample);
  return previous_;
}

}  // namespace winperf::by_cell
