#include "collectors/blg/sample_values.h"

#include <algorithm>
#include <map>
#include <utility>

#include "collectors/base/equal_bytes.h"
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

std::shared_ptr<const InstanceSet> ObjectValues::instances_of(std::size_t rows) const {
  auto instances = std::make_shared<InstanceSet>();
  for (std::size_t row = 0; row < rows; ++row) {
    InstanceSchema& instance = instances->instances.emplace_back();
    instance.name = numbered_name(rows_[row]);
    instance.parent = rows_[row].parent;
    instance.ordinal = static_cast<std::uint32_t>(row);
  }
  return instances;
}

std::shared_ptr<const CountersetSample> ObjectValues::finish(Ticks100ns time,
                                                             std::size_t max_rows) {
  const std::size_t most = schema_->multi_instance ? max_rows : std::min<std::size_t>(max_rows, 1);
  const std::size_t rows = std::min(rows_.size(), most);
  const std::size_t named = schema_->multi_instance ? rows : 0;
  if (!instances_ || instances_->instances.size() != named) instances_ = instances_of(named);
  if (!sample_ || sample_.use_count() != 1) sample_ = std::make_shared<CountersetSample>();
  CountersetSample& sample = *sample_;
  prepare(sample, schema_, layout_, instances_, {.time_100ns = time});
  sample.reason.assign(sample.reason.size(), NoValue::kNotDelivered);
  sample.own_clocks.resize(sample.reason.size(), sample.clocks);
  for (const Placed& placed : values_) {
    const std::size_t cell = sample.cell(placed.row, placed.column.column);
    if (placed.row >= rows || sample.reason[cell] != NoValue::kNotDelivered) continue;
    if (!is_valid(placed.value.status)) continue;
    const SampleLayout::Column& place = layout_->columns[placed.column.column];
    fill(sample, placed.row, place, cell, placed.value, placed.multi_count);
    sample.own_clocks[cell] =
        clocks_of(place.type, placed.column.ticks_per_second, placed.value, time);
  }
  values_.clear();
  return sample_;
}

namespace {

std::uint32_t name_offset(std::span<const std::byte> body, std::size_t instance) {
  return ByteView(body, "log.instances")
      .get<std::uint32_t>(instances_item::kBytes + instance * listed_instance::kBytes +
                          listed_instance::kName);
}

// Whether an item lists the same instances as a sound one with so many of them: all bytes that are
// read, except the values.
bool lists_the_same(std::span<const std::byte> body, std::span<const std::byte> sound,
                    std::size_t instances) {
  if (body.size() != sound.size()) return false;
  const std::size_t names = instances_item::kBytes + instances * listed_instance::kBytes;
  if (ByteView(body, "").get(instances_item::kCount) != instances) return false;
  for (std::size_t i = 0; i < instances; ++i)
    if (name_offset(body, i) != name_offset(sound, i)) return false;
  return equal_bytes(body.subspan(names), sound.subspan(names));
}

}  // namespace

void SampleReader::begin(const LogLayout& layout) {
  layout_ = &layout;
  reply_ = {};
  items_.clear();
  objects_.clear();
  for (const LogLayout::Object& object : layout.objects) {
    objects_.emplace_back(object.schema, object.layout);
    if (!object.schema->multi_instance) objects_.back().row_of({});
  }
  problems_.assign(objects_.size(), {});
  // The instance of a single counter exists whether or not a sample has its value.
  for (const auto& entry : layout.entries)
    if (entry && is_mine(*entry) && entry->column && entry->is_single) row_of(*entry);
}

std::expected<Reply, Error> SampleReader::read(const Record& record, const LogLayout& layout,
                                               Ticks100ns time) {
  auto items = ItemWalk::over(record.bytes());
  if (!items) return std::unexpected(record.in_file(items.error()));
  if (layout_ == &layout && follow(*items)) return finish(record, time);
  begin(layout);
  for (std::size_t number = 0; const auto item = items->next(); ++number) {
    if (!*item) {
      layout_ = nullptr;
      return std::unexpected(record.in_file(item->error()));
    }
    add(**item, number, record);
  }
  return finish(record, time);
}

const LogLayout::Entry* SampleReader::entry_of(std::size_t number) const {
  const auto& entries = layout_->entries;
  return number < entries.size() && entries[number] ? &*entries[number] : nullptr;
}

bool SampleReader::follow(ItemWalk items) {
  std::size_t number = 0;
  while (const auto item = items.next()) {
    if (!*item || number == items_.size() || (*item)->kind != items_[number].kind) return false;
    const KnownItem& known = items_[number];
    const LogLayout::Entry* const entry = entry_of(number++);
    add_block(**item, entry);
    if (known.has_values && !follow_item(**item, known, *entry)) return false;
  }
  return number == items_.size();
}

bool SampleReader::follow_item(const Item& item, const KnownItem& known,
                               const LogLayout::Entry& entry) {
  ObjectValues& object = objects_[entry.column->object];
  if (known.instances.empty()) {
    const auto counter = read_counter_item(item.body);
    if (counter) object.put(known.rows[0], *entry.column, counter->value, counter->multi_count);
    return counter.has_value();
  }
  if (!lists_the_same(item.body.bytes(), known.instances, known.rows.size())) return false;
  for (std::size_t i = 0; i < known.rows.size(); ++i) {
    const std::size_t at = instances_item::kBytes + i * listed_instance::kBytes;
    const ByteView listed = *item.body.slice(at, listed_instance::kBytes, "log.instances");
    object.put(known.rows[i], *entry.column, value_in(listed), std::nullopt);
  }
  return true;
}

void SampleReader::add(const Item& item, std::size_t number, const Record& record) {
  KnownItem& known = items_.emplace_back(KnownItem{.kind = item.kind});
  const LogLayout::Entry* const entry = entry_of(number);
  add_block(item, entry);
  if (entry == nullptr || !is_mine(*entry) || !entry->column) return;
  const auto added = add_values(item, *entry, known);
  if (!added) problems_[entry->column->object].push_back(record.in_file(added.error()));
}

Reply SampleReader::finish(const Record& record, Ticks100ns time) {
  reply_.time = time;
  bool has_problem = false;
  std::size_t cells_left = kMaxCells;
  for (std::size_t i = 0; i < objects_.size(); ++i) {
    if (layout_->objects[i].machine != machine_) continue;
    ObjectValues& object = objects_[i];
    const std::size_t max_rows = cells_left / object.schema().counters.size();
    if (object.cells() > cells_left)
      problems_[i].push_back({.code = ErrorCode::kLimitExceeded,
                              .where = "log.values",
                              .offset = record.place().event,
                              .actual = object.cells(),
                              .limit = cells_left});
    has_problem = has_problem || !problems_[i].empty();
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
  if (has_problem) layout_ = nullptr;
  return std::exchange(reply_, {});
}

std::size_t SampleReader::row_of(const LogLayout::Entry& entry) {
  return objects_[entry.column->object].row_of(entry.instance.value_or(InstanceName{}));
}

void SampleReader::add_block(const Item& item, const LogLayout::Entry* entry) {
  // An item without an entry belongs to the first machine.
  const bool is_here = entry != nullptr ? is_mine(*entry) : machine_ == 0;
  if (!is_here || item.kind != static_cast<std::uint8_t>(ItemKind::kWholeObject)) return;
  const std::span<const std::byte> block = block_of(item.body);
  reply_.blocks.push_back({block.begin(), block.end()});
}

std::expected<void, Error> SampleReader::add_values(const Item& item, const LogLayout::Entry& entry,
                                                    KnownItem& known) {
  if (item.kind == static_cast<std::uint8_t>(ItemKind::kCounter)) {
    const auto counter = read_counter_item(item.body);
    if (!counter) return std::unexpected(counter.error());
    known.rows.push_back(row_of(entry));
    objects_[entry.column->object].put(known.rows[0], *entry.column, counter->value,
                                       counter->multi_count);
    known.has_values = true;
  } else if (item.kind == static_cast<std::uint8_t>(ItemKind::kInstances)) {
    const auto instances = read_instances_item(item.body);
    if (!instances) return std::unexpected(instances.error());
    add_instances(*instances, *entry.column, known.rows);
    const std::span<const std::byte> body = item.body.bytes();
    known.instances.assign(body.begin(), body.end());
    known.has_values = true;
  }
  return {};
}

// Instances that the log doesn't number are numbered here, in their order.
void SampleReader::add_instances(const InstancesItem& item, const LogLayout::Entry::Column& column,
                                 std::vector<std::size_t>& rows) {
  ObjectValues& object = objects_[column.object];
  std::map<std::string, std::uint32_t> seen;
  for (const InstancesItem::Instance& instance : item.instances) {
    InstanceName name = parse_instance_name(instance.name());
    const std::uint32_t before = seen[key_of(name)]++;
    if (name.number == 0) name.number = before;
    rows.push_back(object.row_of(name));
    object.put(rows.back(), column, instance.value, std::nullopt);
  }
}

}  // namespace winperf::blg
