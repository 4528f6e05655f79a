#include "collectors/blg/object_values.h"

#include <algorithm>
#include <utility>

namespace winperf::blg {
namespace {

// The sample's time, and the clock that came with the value.
Clocks clocks_of(const CounterTypeInfo& type, std::int64_t ticks_per_second, const RawValue& value,
                 Ticks100ns time) {
  Clocks clocks{.time_100ns = time};
  const auto own_time = second_is_time(type) ? static_cast<std::int64_t>(value.second) : 0;
  if (type.time_base == TimeBase::kPerf) {
    clocks.perf_time = {own_time};
    clocks.perf_frequency = {ticks_per_second};
  } else if (type.time_base == TimeBase::kObject) {
    clocks.object_time = {own_time};
    clocks.object_frequency = {ticks_per_second};
  } else if (type.time_base == TimeBase::k100ns && second_is_time(type)) {
    clocks.time_100ns = {own_time};
  }
  return clocks;
}

void fill(CountersetSample& sample, std::size_t cell, const CounterSchema& counter,
          const RawValue& value, std::optional<std::uint32_t> multi_count) {
  sample.raw[cell] = value.first;
  sample.reason[cell] = is_numeric(counter.type) ? NoValue::kNone : NoValue::kNotNumeric;
  if (!counter.has_base) return;
  const bool multi = counter.info().base == BaseKind::kMulti;
  sample.base[cell] = multi ? multi_count.value_or(0) : value.second;
  if (multi && !multi_count) sample.reason[cell] = NoValue::kNoBase;
}

}  // namespace

std::size_t ObjectValues::row_of(const InstanceName& instance) {
  const auto [entry, is_new] = row_by_key_.try_emplace(key_of(instance), rows_.size());
  if (is_new) rows_.push_back(instance);
  return entry->second;
}

void ObjectValues::put(std::size_t row, const Column& column, const RawValue& value,
                       std::optional<std::uint32_t> multi_count) {
  values_.push_back({row, column, value, multi_count});
}

std::size_t ObjectValues::cells() const { return rows_.size() * schema_->counters.size(); }

std::shared_ptr<const CountersetSample> ObjectValues::finish(Ticks100ns time,
                                                             std::size_t max_rows) const {
  const std::size_t rows = std::min(rows_.size(), max_rows);
  auto sample = std::make_shared<CountersetSample>();
  sample->schema = schema_;
  sample->clocks.time_100ns = time;
  auto instances = std::make_shared<InstanceSet>();
  for (std::size_t row = 0; row < rows && schema_->multi_instance; ++row) {
    InstanceSchema& instance = instances->instances.emplace_back();
    instance.name = numbered_name(rows_[row]);
    instance.parent = rows_[row].parent;
    instance.ordinal = static_cast<std::uint32_t>(row);
  }
  sample->instances = std::move(instances);
  const std::size_t cells = rows * sample->columns();
  sample->raw.resize(cells);
  sample->base.resize(cells);
  sample->reason.resize(cells, NoValue::kNotDelivered);
  sample->own_clocks.resize(cells, sample->clocks);
  for (const Placed& placed : values_) {
    const std::size_t cell = sample->cell(placed.row, placed.column.column);
    if (placed.row >= rows || sample->reason[cell] != NoValue::kNotDelivered) continue;
    if (!is_valid(placed.value.status)) continue;
    const CounterSchema& counter = schema_->counters[placed.column.column];
    fill(*sample, cell, counter, placed.value, placed.multi_count);
    sample->own_clocks[cell] =
        clocks_of(counter.info(), placed.column.ticks_per_second, placed.value, time);
  }
  return sample;
}

}  // namespace winperf::blg
