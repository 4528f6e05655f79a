#include "collectors/sampling/sample_chain.h"

#include <utility>

#include "collectors/formula/cook.h"
#include "collectors/sampling/instance_matcher.h"

namespace winperf {
namespace {

std::uint64_t extended(std::uint64_t previous_total, std::uint64_t previous_raw, std::uint64_t raw,
                       std::uint8_t bytes) {
  const auto step = growth(previous_raw, raw, bytes, NoValue::kCounterReset);
  return step ? previous_total + *step : raw;
}

}  // namespace

std::uint64_t first_total(const CounterTypeInfo& type, std::uint64_t raw) {
  return type.formula == Formula::kDelta ? 0 : raw;
}

std::uint64_t next_total(const CounterTypeInfo& type, std::uint64_t previous_total,
                         std::uint64_t previous_raw, std::uint64_t raw, std::uint8_t bytes) {
  if (type.exposition != Exposition::kCounter) return raw;
  if (type.formula != Formula::kDelta) return extended(previous_total, previous_raw, raw, bytes);
  const auto step = growth(previous_raw, raw, bytes, NoValue::kCounterReset);
  return step ? previous_total + *step : 0;
}

std::uint64_t next_base_total(const CounterTypeInfo& type, std::uint64_t previous_total,
                              std::uint64_t previous_raw, std::uint64_t raw, std::uint8_t bytes) {
  if (type.exposition != Exposition::kCounter) return raw;
  return extended(previous_total, previous_raw, raw, bytes);
}

bool can_fall(const CounterTypeInfo& type) {
  return type.exposition != Exposition::kCounter || type.formula == Formula::kQueueLength ||
         type.formula == Formula::kSampleFraction;
}

void ResetWitness::hear(const CounterTypeInfo& type, std::uint64_t before, std::uint64_t now,
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
  std::vector<std::uint32_t> rows;     // previous row of each row, or kNewInstance
  std::vector<std::uint32_t> columns;  // previous column of each column, or kNewInstance
  std::vector<bool> type_changed;      // by column: the counter was there, but with another type
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
  for (std::uint32_t i = 0; i < count; ++i) positions[i] = i;
  return positions;
}

Continuation find_continuation(const CountersetSample* previous, const CountersetSample& current) {
  Continuation result;
  result.previous = previous;
  if (previous == nullptr || previous->schema->multi_instance != current.schema->multi_instance) {
    result.previous = nullptr;
    return result;
  }
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

Observation observation(const CountersetSample& sample, std::size_t cell,
                        const CounterSchema& counter) {
  return {.value = sample.raw[cell],
          .base = sample.base[cell],
          .value_bytes = static_cast<std::uint8_t>(counter.size),
          .base_bytes = static_cast<std::uint8_t>(counter.has_base ? counter.base_size : 0)};
}

// Whether the instance was reset since the sample before, as its counters say.
bool was_reset(const CountersetSample& sample, std::size_t row, const Continuation& from) {
  if (from.previous == nullptr || from.rows[row] == kNewInstance) return false;
  ResetWitness witness;
  for (std::size_t column = 0; column < sample.columns(); ++column) {
    if (from.columns[column] == kNewInstance) continue;
    const std::size_t cell = sample.cell(row, column);
    const std::size_t old = from.previous->cell(from.rows[row], from.columns[column]);
    if (sample.raw[cell] >= from.previous->raw[old] || !has_raw(sample.reason[cell]) ||
        !has_raw(from.previous->reason[old]))
      continue;
    const CounterSchema& counter = sample.schema->counters[column];
    witness.hear(counter.info(), from.previous->raw[old], sample.raw[cell], counter.size);
  }
  return witness.was_reset();
}

// A total that was reset begins again from the counter's value, as that of an 8-byte counter does.
std::uint8_t width_for_total(std::uint8_t bytes, bool was_reset) {
  return was_reset ? static_cast<std::uint8_t>(sizeof(std::uint64_t)) : bytes;
}

void continue_totals(CountersetSample& sample, std::size_t cell, const CountersetSample& previous,
                     std::size_t old, const CounterSchema& counter, bool was_reset) {
  const CounterTypeInfo info = counter.info();
  const Observation before = observation(previous, old, counter);
  Observation now = observation(sample, cell, counter);
  now.value_bytes = width_for_total(now.value_bytes, was_reset);
  now.base_bytes = width_for_total(now.base_bytes, was_reset);
  sample.total[cell] =
      next_total(info, previous.total[old], before.value, now.value, now.value_bytes);
  // A base that was missing is no 0 that the next one could be measured against.
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
                                                            const CookOptions& options) {
  if (raw->owner.value_or(0) == 0)
    raw->owner = previous_ != nullptr ? previous_->owner : std::nullopt;
  const Continuation from = find_continuation(previous_.get(), *raw);
  for (std::size_t row = 0; row < raw->rows(); ++row) {
    CookOptions of_row = options;
    of_row.was_reset = was_reset(*raw, row, from);
    for (std::size_t column = 0; column < raw->columns(); ++column) {
      const std::size_t cell = raw->cell(row, column);
      if (has_raw(raw->reason[cell]))
        cook_cell(*raw, cell, raw->schema->counters[column], from, row, column, of_row);
    }
  }
  previous_ = std::move(raw);
  return previous_;
}

}  // namespace winperf
