#include "collectors/sampling/registry/logged_tracker.h"

#include <utility>

#include "collectors/base/ascii.h"

namespace winperf {
namespace {

auto values_at(const CountersetSample& sample, std::size_t row) {
  return [&sample, row](std::size_t column) {
    const std::size_t cell = sample.cell(row, column);
    return has_raw(sample.reason[cell]) ? std::optional(sample.raw[cell]) : std::nullopt;
  };
}

}  // namespace

std::shared_ptr<const CountersetSample> LoggedTracker::update(
    const std::shared_ptr<const CountersetSample>& logged, const Selection& selection) {
  if (layout_.logged != logged->schema) build_layout(logged->schema, selection);
  const bool multi_instance = logged->schema->multi_instance;
  if (multi_instance) select_instances(*logged, selection);
  auto sample = chain_.begin(layout_.schema, layout_.layout, instances_.set(), logged->clocks);
  sample->own_clocks.resize(sample->reason.size());
  if (!multi_instance)
    sample->owner = layout_.identity.any_process().and_then(values_at(*logged, 0));
  for (std::size_t column = 0; column < sample->columns(); ++column) {
    const auto bases = sample->more_column(sample->layout->columns[column].base);
    for (std::size_t row = 0; row < sample->rows(); ++row) {
      const std::size_t logged_row = multi_instance ? instances_.positions()[row] : 0;
      const std::size_t cell = sample->cell(row, column);
      const std::size_t from = logged->cell(logged_row, layout_.columns[column]);
      sample->raw[cell] = logged->raw[from];
      sample->reason[cell] = logged->reason[from];
      sample->own_clocks[cell] = logged->own_clocks[from];
      if (!bases.empty()) bases[row] = logged->base_at(from);
    }
  }
  return chain_.append(std::move(sample), selection);
}

void LoggedTracker::build_layout(std::shared_ptr<const CountersetSchema> logged,
                                 const Selection& selection) {
  layout_ = {};
  logged_instances_.reset();
  layout_.logged = std::move(logged);
  auto schema = std::make_shared<CountersetSchema>(*layout_.logged);
  schema->counters.clear();
  for (std::size_t column = 0; column < layout_.logged->counters.size(); ++column) {
    const CounterSchema& counter = layout_.logged->counters[column];
    layout_.identity.note(*schema, counter, column,
                          [&](std::string_view name) { return equal_names(counter.name, name); });
    if (selection.counters && !selection.counters(counter)) continue;
    layout_.columns.push_back(column);
    schema->counters.push_back(counter);
  }
  layout_.layout = layout_of(*schema);
  layout_.schema = std::move(schema);
}

void LoggedTracker::select_instances(const CountersetSample& logged, const Selection& selection) {
  std::vector<RawIdentity> identities;
  if (layout_.identity.any())
    for (std::size_t row = 0; row < logged.rows(); ++row)
      identities.push_back(layout_.identity.values(values_at(logged, row)));
  if (logged.instances == logged_instances_ && identities == identities_) return;
  logged_instances_ = logged.instances;
  identities_ = std::move(identities);
  std::vector<InstanceSchema> all = logged.instances->instances;
  for (std::size_t row = 0; row < all.size(); ++row)
    set_identity(all[row], identities_.empty() ? RawIdentity() : identities_[row]);
  instances_.select(std::move(all), *logged.schema, selection);
}

}  // namespace winperf
