#include "tests/simulator/translation.h"

#include <algorithm>
#include <limits>
#include <set>

#include "collectors/model/counter_type.h"

namespace winperf::simulator {
namespace {

constexpr std::uint32_t kMultiBase = 0x42030500;      // PERF_COUNTER_MULTI_BASE
constexpr std::uint32_t kPrecisionBase = 0x40030500;  // PERF_LARGE_RAW_BASE

std::size_t position_of(const CountersetDefinition& counterset, std::uint32_t id) {
  for (std::size_t i = 0; i < counterset.counters.size(); ++i)
    if (counterset.counters[i].id == id) return i;
  return counterset.counters.size();
}

// What a counter's V1 definition is followed by.
struct Base {
  std::size_t position = 0;
  std::uint32_t type = 0;
  std::uint32_t bytes = 0;
};

std::optional<Base> base_of(const CountersetDefinition& counterset,
                            const CounterDefinition& counter) {
  std::optional<std::uint32_t> id = counter.base_id;
  std::optional<std::uint32_t> type;
  if (counter.multi_id) {
    id = counter.multi_id;
    type = kMultiBase;
  } else if (!id && describe(CounterType{counter.type}).formula == Formula::kPrecision) {
    id = counter.perf_time_id;
    type = kPrecisionBase;
  }
  if (!id || counterset.find(*id) == nullptr) return std::nullopt;
  const CounterDefinition& base = *counterset.find(*id);
  return Base{.position = position_of(counterset, *id),
              .type = type.value_or(base.type),
              .bytes = type ? 8u : base.bytes};
}

// Ids of counters that only serve others.
std::set<std::uint32_t> servants(const CountersetDefinition& counterset) {
  std::set<std::uint32_t> ids;
  for (const CounterDefinition& counter : counterset.counters) {
    for (const auto& id :
         {counter.base_id, counter.multi_id, counter.perf_time_id, counter.perf_freq_id}) {
      if (!id || counterset.find(*id) == nullptr) continue;
      const CounterDefinition& used = *counterset.find(*id);
      const bool hidden = (used.attributes & v2::kAttribNotDisplayed) != 0;
      if (hidden || describe(CounterType{used.type}).is_base) ids.insert(*id);
    }
  }
  return ids;
}

bool is_clock(const CountersetDefinition& counterset, std::uint32_t id) {
  return std::ranges::any_of(counterset.counters, [id](const CounterDefinition& counter) {
    return counter.perf_time_id == id || counter.perf_freq_id == id;
  });
}

std::uint64_t sum_of(const CounterDefinition& counter, std::size_t column,
                     const std::vector<InstanceValues>& rows) {
  std::vector<std::uint64_t> values;
  for (const InstanceValues& row : rows) values.push_back(row.values[column]);
  std::uint64_t total = 0;
  for (const std::uint64_t value : values) total += value;
  std::uint64_t sum = total;
  if (counter.aggregation == v2::Aggregation::kAverage) sum = total / values.size();
  if (counter.aggregation == v2::Aggregation::kMinimum) sum = std::ranges::min(values);
  if (counter.aggregation == v2::Aggregation::kMaximum) sum = std::ranges::max(values);
  return counter.bytes == 4 ? sum & std::numeric_limits<std::uint32_t>::max() : sum;
}

InstanceValues add_up(const CountersetDefinition& counterset,
                      const std::vector<InstanceValues>& rows,
                      const std::vector<InstanceValues>& alive, std::u16string name) {
  InstanceValues sum{.name = std::move(name)};
  for (std::size_t column = 0; column < counterset.counters.size(); ++column)
    sum.values.push_back(is_clock(counterset, counterset.counters[column].id)
                             ? alive.front().values[column]
                             : sum_of(counterset.counters[column], column, rows));
  return sum;
}

// Which values of a set's row a V1 object shows, in its order.
using Columns = std::vector<std::size_t>;

std::vector<std::uint64_t> picked(const Columns& columns, const InstanceValues& row) {
  std::vector<std::uint64_t> values;
  for (const std::size_t column : columns) values.push_back(row.values[column]);
  return values;
}

}  // namespace

void Translation::remember(const CountersetDefinition& counterset,
                           const std::vector<InstanceValues>& rows) {
  std::vector<InstanceValues>& all = history_[counterset.guid];
  for (const InstanceValues& row : rows) {
    const auto known = std::ranges::find_if(all, [&row](const InstanceValues& other) {
      return other.id == row.id && other.name == row.name;
    });
    if (known == all.end()) {
      all.push_back(row);
    } else {
      *known = row;
    }
  }
}

std::optional<testing::ObjectBuilder> Translation::object(const Machine::Found& found,
                                                          bool metadata) {
  const CountersetDefinition& counterset = found.counterset;
  testing::ObjectBuilder builder(machine_.title_of(counterset.guid));
  const std::set<std::uint32_t> hidden = servants(counterset);
  Columns columns;
  std::optional<std::size_t> time;
  std::optional<std::size_t> frequency;
  for (std::size_t i = 0; i < counterset.counters.size(); ++i) {
    const CounterDefinition& counter = counterset.counters[i];
    if (hidden.contains(counter.id)) continue;
    const std::uint32_t title = machine_.title_of(counterset.guid, counter.id);
    builder.counter({.index = title,
                     .type = counter.type,
                     .size = counter.bytes,
                     .default_scale = counter.default_scale});
    columns.push_back(i);
    if (const auto base = base_of(counterset, counter)) {
      builder.counter({.index = title, .type = base->type, .size = base->bytes});
      columns.push_back(base->position);
    }
    if (counter.perf_time_id) time = position_of(counterset, *counter.perf_time_id);
    if (counter.perf_freq_id) frequency = position_of(counterset, *counter.perf_freq_id);
  }
  const bool many = v2::shows_instances(counterset.instance_type);
  if (many) builder.multi_instance();
  if (metadata) return builder.metadata();

  auto rows = machine_.collect(found, {.instance_name = u"*", .many = many});
  if (!rows) return std::nullopt;
  for (InstanceValues& row : *rows) {
    for (std::size_t i = 0; i < row.values.size(); ++i) {
      const auto told = machine_.faults.told(Lie::Path::kRegistry, counterset.guid,
                                             counterset.counters[i].id, row.name, row.values[i]);
      if (!told) {
        row.values.clear();
        break;
      }
      row.values[i] = *told;
    }
  }
  std::erase_if(*rows, [](const InstanceValues& row) { return row.values.empty(); });
  if (!many && rows->empty()) return std::nullopt;
  if (time && frequency && !rows->empty())
    builder.clock({static_cast<std::int64_t>(rows->front().values[*time])},
                  {static_cast<std::int64_t>(rows->front().values[*frequency])});
  const std::vector<InstanceValues> alive = *rows;
  if (v2::remembers_vanished(counterset.instance_type)) {
    remember(counterset, alive);
    *rows = history_[counterset.guid];
  }
  if (!many) {
    const bool aggregates = v2::adds_instances_up(counterset.instance_type);
    builder.single(
        picked(columns, aggregates ? add_up(counterset, *rows, alive, {}) : rows->front()));
    return builder;
  }
  if (v2::adds_instances_up(counterset.instance_type) && !rows->empty())
    rows->push_back(add_up(counterset, *rows, alive, u"_Total"));
  for (const InstanceValues& row : *rows)
    builder.instance({.name = row.name, .values = picked(columns, row)});
  return builder;
}

}  // namespace winperf::simulator
