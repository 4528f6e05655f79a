#include "collectors/sampling/registry/logged_tracker.h"

#include <string_view>
#include <utility>

#include "collectors/base/ascii.h"
#include "collectors/sampling/identity_counters.h"
#include "collectors/wire/name_table.h"

namespace winperf {
namespace {

std::optional<std::uint64_t> value_at(const CountersetSample& sample, std::size_t row,
                                      std::optional<std::size_t> column) {
  if (!column) return std::nullopt;
  const std::size_t cell = sample.cell(row, *column);
  return has_raw(sample.reason[cell]) ? std::optional(sample.raw[cell]) : std::nullopt;
}

}  // namespace

std::string_view name_to_select(const CountersetSchema& schema, const InstanceSchema& instance) {
  const std::string_view name = instance.name;
  const std::size_t hash = name.rfind('#');
  if (schema.path != CounterPath::kLog || hash == std::string_view::npos || hash == 0) return name;
  const std::string_view number = name.substr(hash + 1);
  const bool numbered =
      !number.empty() && number.find_first_not_of("0123456789") == std::string_view::npos;
  return numbered ? name.substr(0, hash) : name;
}

std::shared_ptr<const CountersetSample> LoggedTracker::update(
    const std::shared_ptr<const CountersetSample>& logged, const Selection& selection) {
  if (layout_.logged != logged->schema) build_layout(logged->schema, selection);
  const std::vector<std::size_t> rows = select_rows(*logged, selection);
  auto sample = make_raw_sample(layout_.schema, set_, logged->clocks);
  sample->own_clocks.resize(sample->reason.size());
  for (std::size_t row = 0; row < rows.size(); ++row) {
    for (std::size_t column = 0; column < sample->columns(); ++column) {
      const std::size_t cell = sample->cell(row, column);
      const std::size_t from = logged->cell(rows[row], layout_.columns[column]);
      sample->raw[cell] = logged->raw[from];
      sample->base[cell] = logged->base[from];
      sample->reason[cell] = logged->reason[from];
      sample->own_clocks[cell] = logged->own_clocks[from];
    }
  }
  return chain_.append(std::move(sample), selection.cook);
}

void LoggedTracker::build_layout(std::shared_ptr<const CountersetSchema> logged,
                                 const Selection& selection) {
  layout_ = {};
  layout_.logged = std::move(logged);
  auto schema = std::make_shared<CountersetSchema>(*layout_.logged);
  schema->counters.clear();
  for (std::size_t column = 0; column < layout_.logged->counters.size(); ++column) {
    const CounterSchema& counter = layout_.logged->counters[column];
    if (equal_names(counter.name, kProcessIdName)) layout_.process_id = column;
    if (equal_names(counter.name, kThreadIdName)) layout_.thread_id = column;
    if (counter.info().formula == Formula::kElapsed) layout_.started = column;
    if (selection.counters && !selection.counters(counter.name)) continue;
    layout_.columns.push_back(column);
    schema->counters.push_back(counter);
  }
  layout_.schema = std::move(schema);
}

std::vector<std::size_t> LoggedTracker::select_rows(const CountersetSample& logged,
                                                    const Selection& selection) {
  if (!logged.schema->multi_instance) return {0};
  std::vector<std::size_t> rows;
  auto set = std::make_shared<InstanceSet>();
  for (std::size_t row = 0; row < logged.rows(); ++row) {
    InstanceSchema instance = identified(logged, row);
    if (selection.instance_id && instance.unique_id != selection.instance_id) continue;
    if (selection.instances && !selection.instances(name_to_select(*logged.schema, instance)))
      continue;
    rows.push_back(row);
    set->instances.push_back(std::move(instance));
  }
  if (set->instances != set_->instances) set_ = std::move(set);
  return rows;
}

InstanceSchema LoggedTracker::identified(const CountersetSample& logged, std::size_t row) const {
  InstanceSchema instance = logged.instances->instances[row];
  instance.process_id = value_at(logged, row, layout_.process_id);
  instance.thread_id = value_at(logged, row, layout_.thread_id);
  // Without a process id ("Idle", "_Total") the start time may move with every sample.
  if (instance.process_id.value_or(0) != 0)
    instance.started = value_at(logged, row, layout_.started);
  return instance;
}

}  // namespace winperf
