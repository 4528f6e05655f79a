#include "collectors/sampling/registry/logged_tracker.h"

#include <utility>

#include "collectors/base/ascii.h"
#include "collectors/model/identity_counters.h"

namespace winperf {
namespace {

std::optional<std::uint64_t> value_at(const CountersetSample& sample, std::size_t row,
                                      std::optional<std::size_t> column) {
  if (!column) return std::nullopt;
  const std::size_t cell = sample.cell(row, *column);
  return has_raw(sample.reason[cell]) ? std::optional(sample.raw[cell]) : std::nullopt;
}

}  // namespace

std::shared_ptr<const CountersetSample> LoggedTracker::update(
    const std::shared_ptr<const CountersetSample>& logged, const Selection& selection) {
  if (layout_.logged != logged->schema) build_layout(logged->schema, selection);
  const bool multi_instance = logged->schema->multi_instance;
  if (multi_instance) select_instances(*logged, selection);
  auto sample = make_raw_sample(layout_.schema, instances_.set(), logged->clocks);
  sample->own_clocks.resize(sample->reason.size());
  if (!multi_instance)
    sample->owner = value_at(*logged, 0, layout_.owner ? layout_.owner : layout_.process_id);
  for (std::size_t row = 0; row < sample->rows(); ++row) {
    const std::size_t logged_row = multi_instance ? instances_.positions()[row] : 0;
    for (std::size_t column = 0; column < sample->columns(); ++column) {
      const std::size_t cell = sample->cell(row, column);
      const std::size_t from = logged->cell(logged_row, layout_.columns[column]);
      sample->raw[cell] = logged->raw[from];
      sample->base[cell] = logged->base[from];
      sample->reason[cell] = logged->reason[from];
      sample->own_clocks[cell] = logged->own_clocks[from];
    }
  }
  return leading_.keep(chain_.append(std::move(sample), selection.cook), selection.limit);
}

void LoggedTracker::build_layout(std::shared_ptr<const CountersetSchema> logged,
                                 const Selection& selection) {
  layout_ = {};
  layout_.logged = std::move(logged);
  auto schema = std::make_shared<CountersetSchema>(*layout_.logged);
  schema->counters.clear();
  for (std::size_t column = 0; column < layout_.logged->counters.size(); ++column) {
    const CounterSchema& counter = layout_.logged->counters[column];
    if (equal_names(counter.name, process_id_name(schema->name)))
      layout_.process_id = column;
    else if (is_process_id(counter.name))
      layout_.owner = column;
    if (equal_names(counter.name, kThreadIdName)) layout_.thread_id = column;
    if (counter.info().formula == Formula::kElapsed) layout_.started = column;
    if (selection.counters && !selection.counters(counter)) continue;
    layout_.columns.push_back(column);
    schema->counters.push_back(counter);
  }
  layout_.schema = std::move(schema);
}

void LoggedTracker::select_instances(const CountersetSample& logged, const Selection& selection) {
  std::vector<InstanceSchema> all = logged.instances->instances;
  for (std::size_t row = 0; row < all.size(); ++row)
    set_identity(all[row], {.process_id = value_at(logged, row, layout_.process_id),
                            .thread_id = value_at(logged, row, layout_.thread_id),
                            .owner = value_at(logged, row, layout_.owner),
                            .started = value_at(logged, row, layout_.started)});
  instances_.select(std::move(all), *logged.schema, selection);
}

}  // namespace winperf
