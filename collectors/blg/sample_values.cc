#include "collectors/blg/sample_values.h"

#include <algorithm>
#include <map>
#include <utility>

#include "collectors/blg/format.h"

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

void fill(CountersetSample& sample, std::size_t row, const SampleLayout::Column& place,
          std::size_t cell, const RawValue& value, std::optional<std::uint32_t> multi_count) {
  sample.raw[cell] = value.first;
  sample.reason[cell] = is_numeric(place.type.type) ? NoValue::kNone : NoValue::kNotNumeric;
  if (place.base == SampleLayout::kNone) return;
  const bool multi = place.type.base == BaseKind::kMulti;
  sample.more_column(place.base)[row] = multi ? multi_count.value_or(0) : value.second;
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
  const std::size_t most = schema_->multi_instance ? max_rows : std::min<std::size_t>(max_rows, 1);
  const std::size_t rows = std::min(rows_.size(), most);
  auto sample = std::make_shared<CountersetSample>();
  auto instances = std::make_shared<InstanceSet>();
  for (std::size_t row = 0; row < rows && schema_->multi_instance; ++row) {
    InstanceSchema& instance = instances->instances.emplace_back();
    instance.name = numbered_name(rows_[row]);
    instance.parent = rows_[row].parent;
    instance.ordinal = static_cast<std::uint32_t>(row);
  }
  prepare(*sample, schema_, layout_, std::move(instances), {.time_100ns = time});
  sample->reason.assign(sample->reason.size(), NoValue::kNotDelivered);
  sample->own_clocks.resize(sample->reason.size(), sample->clocks);
  for (const Placed& placed : values_) {
    const std::size_t cell = sample->cell(placed.row, placed.column.column);
    if (placed.row >= rows || sample->reason[cell] != NoValue::kNotDelivered) continue;
    if (!is_valid(placed.value.status)) continue;
    const SampleLayout::Column& place = layout_->columns[placed.column.column];
    fill(*sample, placed.row, place, cell, placed.value, placed.multi_count);
    sample->own_clocks[cell] =
        clocks_of(place.type, placed.column.ticks_per_second, placed.value, time);
  }
  return sample;
}

namespace {

class SampleValues {
 public:
  SampleValues(const LogLayout& layout, std::size_t machine) : layout_(layout), machine_(machine) {
    for (const LogLayout::Object& object : layout.objects) {
      objects_.emplace_back(object.schema, object.layout);
      if (!object.schema->multi_instance) objects_.back().row_of({});
    }
    problems_.resize(objects_.size());
    // The instance of a single counter exists whether or not this sample has its value.
    for (const auto& entry : layout.entries)
      if (is_mine(entry) && entry->column && entry->is_single) row_of(*entry);
  }

  void add(const Item& item, std::size_t number, const Record& record) {
    if (number >= layout_.entries.size() || !layout_.entries[number]) {
      // An item without an entry belongs to the first machine.
      if (machine_ == 0) add_block(item);
      return;
    }
    const auto& entry = layout_.entries[number];
    if (!is_mine(entry)) return;
    add_block(item);
    if (!entry->column) return;
    const auto added = add_values(item, *entry);
    if (!added) problems_[entry->column->object].push_back(record.in_file(added.error()));
  }

  Reply finish(const Record& record, Ticks100ns time) && {
    reply_.time = time;
    std::size_t cells_left = kMaxCells;
    for (std::size_t i = 0; i < objects_.size(); ++i) {
      if (layout_.objects[i].machine != machine_) continue;
      const ObjectValues& object = objects_[i];
      const std::size_t max_rows = cells_left / object.schema().counters.size();
      if (object.cells() > cells_left)
        problems_[i].push_back({.code = ErrorCode::kLimitExceeded,
                                .where = "log.values",
                                .offset = record.place().event,
                                .actual = object.cells(),
                                .limit = cells_left});
      // An object without instances needs its one row.
      if (max_rows == 0 && !object.schema().multi_instance) {
        // The other objects have used all cells; the last of them carries the problem.
        auto& problems = reply_.logged.back().problems;
        problems.insert(problems.end(), problems_[i].begin(), problems_[i].end());
        continue;
      }
      const auto values = object.finish(time, max_rows);
      cells_left -= values->reason.size();
      reply_.logged.push_back({values, std::move(problems_[i])});
    }
    if (!reply_.logged.empty()) reply_.logged_bytes = record.bytes().size();
    return std::move(reply_);
  }

 private:
  bool is_mine(const std::optional<LogLayout::Entry>& entry) const {
    return entry && entry->machine == machine_;
  }

  std::size_t row_of(const LogLayout::Entry& entry) {
    return objects_[entry.column->object].row_of(entry.instance.value_or(InstanceName{}));
  }

  void add_block(const Item& item) {
    if (item.kind != static_cast<std::uint8_t>(ItemKind::kWholeObject)) return;
    const std::span<const std::byte> block = block_of(item.body);
    reply_.blocks.push_back({block.begin(), block.end()});
  }

  [[nodiscard]] std::expected<void, Error> add_values(const Item& item,
                                                      const LogLayout::Entry& entry) {
    ObjectValues& object = objects_[entry.column->object];
    if (item.kind == static_cast<std::uint8_t>(ItemKind::kCounter)) {
      const auto counter = read_counter_item(item.body);
      if (!counter) return std::unexpected(counter.error());
      object.put(row_of(entry), *entry.column, counter->value, counter->multi_count);
    } else if (item.kind == static_cast<std::uint8_t>(ItemKind::kInstances)) {
      const auto instances = read_instances_item(item.body);
      if (!instances) return std::unexpected(instances.error());
      add_instances(*instances, *entry.column, object);
    }
    return {};
  }

  // Instances that the log doesn't number are numbered here, in their order.
  static void add_instances(const InstancesItem& item, const LogLayout::Entry::Column& column,
                            ObjectValues& object) {
    std::map<std::string, std::uint32_t> seen;
    for (const InstancesItem::Instance& instance : item.instances) {
      InstanceName name = parse_instance_name(instance.name);
      const std::uint32_t before = seen[key_of(name)]++;
      if (name.number == 0) name.number = before;
      object.put(object.row_of(name), column, instance.value, std::nullopt);
    }
  }

  const LogLayout& layout_;
  std::size_t machine_;
  Reply reply_;
  std::vector<ObjectValues> objects_;
  std::vector<std::vector<Error>> problems_;  // of each object
};

}  // namespace

std::expected<Reply, Error> read_sample_of(const Record& record, const LogLayout& layout,
                                           std::size_t machine, Ticks100ns time) {
  auto items = ItemWalk::over(record.bytes());
  if (!items) return std::unexpected(record.in_file(items.error()));
  SampleValues values(layout, machine);
  for (std::size_t number = 0; const auto item = items->next(); ++number) {
    if (!*item) return std::unexpected(record.in_file(item->error()));
    values.add(**item, number, record);
  }
  return std::move(values).finish(record, time);
}

}  // namespace winperf::blg
