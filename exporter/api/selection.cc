#include "exporter/api/selection.h"

#include <algorithm>
#include <utility>

#include "config/patterns.h"

namespace winperf::api {
namespace {

std::expected<Filter, Problem> filter_of_all(const std::string& parameter,
                                             const std::vector<std::string>& names) {
  Filter all;
  for (const std::string& name : names) {
    auto filter = filter_of(name);
    if (!filter)
      return std::unexpected(
          Problem{.detail = excerpt(name) + ' ' + filter.error(), .parameter = parameter});
    if (filter->accepts_all()) return Filter();
    all.include.push_back(std::move(filter->include.front()));
  }
  return all;
}

std::expected<Selection, Problem> selection_of(const std::string& path) {
  const auto wrong = [&](const std::string& why) {
    return std::unexpected(Problem{.detail = excerpt(path) + ' ' + why, .parameter = "path"});
  };
  const auto parsed = parse_perfmon_path(path);
  if (!parsed) return wrong("is not a path; write, for example, \\Memory\\Available Bytes");
  CountersetConfig entry;
  if (const auto selected = select_path(entry, *parsed); !selected) return wrong(selected.error());
  return Selection{.parameter = "path",
                   .path = path,
                   .countersets = std::move(entry.names),
                   .counters = std::move(entry.counters),
                   .instances = std::move(entry.instances),
                   .counter = is_pattern(parsed->counter) ? std::string() : parsed->counter,
                   .names_instance = !parsed->instance.empty() && !is_pattern(parsed->instance)};
}

}  // namespace

std::expected<std::vector<Selection>, Problem> selections_of(const Query& query) {
  const auto paths = values_of(query, "path");
  auto countersets = values_of(query, "counterset");
  auto counters = filter_of_all("counter", values_of(query, "counter"));
  auto instances = filter_of_all("instance", values_of(query, "instance"));
  if (!counters) return std::unexpected(counters.error());
  if (!instances) return std::unexpected(instances.error());
  if (paths.empty())
    return std::vector{Selection{.parameter = "counterset",
                                 .countersets = std::move(countersets),
                                 .counters = *std::move(counters),
                                 .instances = *std::move(instances)}};
  if (!countersets.empty() || query.contains("counter") || query.contains("instance"))
    return std::unexpected(
        Problem{.detail = "path cannot be combined with counterset, counter or instance",
                .parameter = "path"});
  std::vector<Selection> selections;
  for (const std::string& path : paths) {
    auto selection = selection_of(path);
    if (!selection) return std::unexpected(std::move(selection.error()));
    selections.push_back(*std::move(selection));
  }
  return selections;
}

bool Selector::accepts(const Filter& filter, std::string_view name, std::string_view other) {
  if (limit_reached_) return false;
  const FilterResult result = filter.check(name, other);
  limit_reached_ = limit_reached_ || result.limit_reached;
  return result.accepted;
}

Problem Selector::unknown(const Selection& selection, const std::string& name) const {
  std::vector<std::string_view> known;
  for (const CountersetState& state : index_.sample().countersets) known.push_back(state.name);
  Problem problem = unknown_name("counterset", name, " is not sampled", known);
  problem.parameter = selection.parameter;
  return problem;
}

std::expected<std::set<std::size_t>, Problem> Selector::places_of(const Selection& selection) {
  std::set<std::size_t> places;
  const auto& states = index_.sample().countersets;
  for (const std::string& name : selection.countersets) {
    const std::size_t before = places.size();
    if (!is_pattern(name)) {
      const auto called = index_.called(name);
      if (called.empty()) return std::unexpected(unknown(selection, name));
      places.insert(called.begin(), called.end());
      continue;
    }
    const auto filter = filter_of_all(selection.parameter, {name});
    if (!filter) return std::unexpected(filter.error());
    for (std::size_t place = 0; place < states.size(); ++place)
      if (accepts(*filter, states[place].name)) places.insert(place);
    if (places.size() == before && !limit_reached_)
      return std::unexpected(unknown(selection, name));
  }
  if (selection.countersets.empty())
    for (std::size_t place = 0; place < states.size(); ++place) places.insert(places.end(), place);
  return places;
}

std::optional<SelectedCells> Selector::cells_of(const Selection& selection, std::size_t place) {
  const CountersetSample& sample = *index_.sample().countersets[place].sample;
  SelectedCells cells{.place = place, .rows = {}, .columns = {}};
  for (std::size_t column = 0; column < sample.columns(); ++column)
    if (accepts(selection.counters, sample.schema->counters[column].name))
      cells.columns.push_back(column);
  for (std::size_t row = 0; row < sample.rows(); ++row)
    if (has_row(sample, row, selection)) cells.rows.push_back(row);
  if (cells.columns.empty() && sample.columns() != 0) return std::nullopt;
  if (cells.rows.empty() && !selection.instances.accepts_all()) return std::nullopt;
  return cells;
}

// In a path, "svchost" is the first instance of this name alone.
bool Selector::has_row(const CountersetSample& sample, std::size_t row,
                       const Selection& selection) {
  if (selection.instances.accepts_all()) return true;
  if (!sample.schema->multi_instance) return false;
  const InstanceSchema& instance = sample.instances->instances[row];
  const std::string shown = display_name(instance);
  return selection.path.empty() ? accepts(selection.instances, instance.name, shown)
                                : accepts(selection.instances, shown);
}

std::optional<Problem> Selector::problem(const Selection& selection) const {
  if (!limit_reached_) return std::nullopt;
  return Problem{.detail = "a pattern takes too many steps; write one with fewer *",
                 .parameter = selection.parameter};
}

// Countersets without values may have it.
std::optional<Problem> unknown_counter(const Selection& path, const Sample& sample,
                                       const std::set<std::size_t>& places) {
  if (path.counter.empty()) return std::nullopt;
  std::vector<std::string_view> known;
  for (const std::size_t place : places) {
    const auto& of = sample.countersets[place].sample;
    if (of == nullptr || has_counter(*of->schema, path.counter)) return std::nullopt;
    for (const CounterSchema& counter : of->schema->counters) known.push_back(counter.name);
  }
  Problem problem =
      unknown_name("counter", path.counter, " does not exist in this counterset", known);
  problem.parameter = path.parameter;
  return problem;
}

}  // namespace winperf::api
