#include "exporter/api/sample_query.h"

#include <algorithm>
#include <charconv>
#include <set>
#include <utility>
#include <vector>

#include "collectors/match/filter.h"
#include "config/patterns.h"

namespace winperf::api {
namespace {

template <class Value>
using OrProblem = std::expected<Value, Problem>;

// What a path selects, or all other parameters together.
struct Selection {
  std::string parameter;                 // that names the countersets
  std::vector<std::string> countersets;  // names and patterns; none: all
  Filter counters;
  Filter instances;
  bool by_display_name = false;  // as in a path, "svchost" is the first instance of this name
};

OrProblem<Filter> filter_of_all(const std::string& parameter,
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

OrProblem<Selection> selection_of(const std::string& path) {
  const auto wrong = [&](const std::string& why) {
    return std::unexpected(Problem{.detail = excerpt(path) + ' ' + why, .parameter = "path"});
  };
  const auto parsed = parse_perfmon_path(path);
  if (!parsed) return wrong("is not a path; write, for example, \\Memory\\Available Bytes");
  CountersetConfig entry;
  if (const auto selected = select_path(entry, *parsed); !selected) return wrong(selected.error());
  return Selection{.parameter = "path",
                   .countersets = std::move(entry.names),
                   .counters = std::move(entry.counters),
                   .instances = std::move(entry.instances),
                   .by_display_name = true};
}

OrProblem<std::vector<Selection>> selections_of(const Query& query) {
  const auto paths = values_of(query, "path");
  auto countersets = values_of(query, "counterset");
  const auto counters = filter_of_all("counter", values_of(query, "counter"));
  const auto instances = filter_of_all("instance", values_of(query, "instance"));
  if (!counters) return std::unexpected(counters.error());
  if (!instances) return std::unexpected(instances.error());
  if (paths.empty())
    return std::vector{Selection{.parameter = "counterset",
                                 .countersets = std::move(countersets),
                                 .counters = *counters,
                                 .instances = *instances}};
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

// Selects with patterns that a client chose: ends at the first that takes too many steps.
class Selector {
 public:
  explicit Selector(const CountersetIndex& index) : index_(index) {}

  // Adds to `states` what it selects, with the places.
  using States = std::vector<std::pair<std::size_t, CountersetState>>;
  std::optional<Problem> add(const Selection& selection, States& states) {
    const auto places = places_of(selection);
    if (!places) return places.error();
    for (const std::size_t place : *places) {
      CountersetState state = index_.sample().countersets[place];
      if (state.sample != nullptr && !narrow(state, selection)) continue;
      states.emplace_back(place, std::move(state));
    }
    if (limit_reached_)
      return Problem{.detail = "a pattern takes too many steps; write one with fewer *",
                     .parameter = selection.parameter};
    return std::nullopt;
  }

 private:
  bool accepts(const Filter& filter, std::string_view name, std::string_view other = {}) {
    if (limit_reached_) return false;
    const FilterResult result = filter.check(name, other);
    limit_reached_ = limit_reached_ || result.limit_reached;
    return result.accepted;
  }

  Problem unknown(const Selection& selection, const std::string& name) const {
    std::vector<std::string_view> known;
    for (const CountersetState& state : index_.sample().countersets) known.push_back(state.name);
    Problem problem = unknown_name("counterset", name, " is not sampled", known);
    problem.parameter = selection.parameter;
    return problem;
  }

  // In the order of the sample, each once.
  OrProblem<std::set<std::size_t>> places_of(const Selection& selection) {
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
      for (std::size_t place = 0; place < states.size(); ++place)
        places.insert(places.end(), place);
    return places;
  }

  // False if nothing is left of it.
  bool narrow(CountersetState& state, const Selection& selection) {
    const CountersetSample& sample = *state.sample;
    const CountersetSchema& schema = *sample.schema;
    std::vector<std::size_t> columns;
    for (std::size_t column = 0; column < sample.columns(); ++column)
      if (accepts(selection.counters, schema.counters[column].name)) columns.push_back(column);
    std::vector<std::size_t> rows;
    for (std::size_t row = 0; row < sample.rows(); ++row)
      if (has_row(sample, row, selection)) rows.push_back(row);
    if (columns.empty() && sample.columns() != 0) return false;
    if (rows.empty() && !selection.instances.accepts_all()) return false;
    state.sample = columns.size() == sample.columns() && rows.size() == sample.rows()
                       ? state.sample
                       : part_of(sample, rows, columns);
    return true;
  }

  bool has_row(const CountersetSample& sample, std::size_t row, const Selection& selection) {
    if (selection.instances.accepts_all()) return true;
    if (!sample.schema->multi_instance) return false;
    const InstanceSchema& instance = sample.instances->instances[row];
    const std::string shown = display_name(instance);
    return selection.by_display_name ? accepts(selection.instances, shown)
                                     : accepts(selection.instances, instance.name, shown);
  }

  const CountersetIndex& index_;
  bool limit_reached_ = false;
};

OrProblem<std::size_t> limit_of(const Query& query) {
  const auto text = value_of(query, "limit");
  if (!text) return kMostCountersetsOfAPage;
  std::size_t limit = 0;
  const auto [end, error] = std::from_chars(text->data(), text->data() + text->size(), limit);
  if (error != std::errc() || end != text->data() + text->size() || limit == 0 ||
      limit > kMostCountersetsOfAPage)
    return std::unexpected(Problem{
        .detail = "limit must be a number from 1 to " + std::to_string(kMostCountersetsOfAPage),
        .parameter = "limit"});
  return limit;
}

// Leaves a page of the states. The result is what SamplePart::next has.
OrProblem<std::optional<std::string>> cut(Selector::States& states, const CountersetIndex& index,
                                          const Query& query) {
  const auto after = value_of(query, "after");
  if (!after && !query.contains("limit")) return std::nullopt;
  const auto limit = limit_of(query);
  if (!limit) return std::unexpected(limit.error());
  if (after) {
    const auto called = index.called(*after);
    if (called.empty())
      return std::unexpected(Problem{.detail = "counterset " + excerpt(*after) + " is not sampled",
                                     .parameter = "after"});
    std::erase_if(states, [&](const auto& one) { return one.first <= called.back(); });
  }
  if (states.size() <= *limit) return std::string();
  // Those of one name stay together, because the next page begins after a name.
  std::size_t end = *limit;
  const std::string last = states[end - 1].second.name;
  while (end < states.size() && states[end].second.name == last) ++end;
  const bool is_last = end == states.size();
  states.resize(end);
  return is_last ? std::string() : last;
}

// A counter that none of the countersets has is a mistake; an instance may have ended.
std::optional<Problem> unknown_counter(const Selector::States& states, const CountersetIndex& index,
                                       const Query& query) {
  if (!states.empty()) return std::nullopt;
  const auto counters = values_of(query, "counter");
  if (counters.empty()) return std::nullopt;
  std::vector<std::string_view> known;
  for (const CountersetState& state : index.sample().countersets)
    if (state.sample != nullptr)
      for (const CounterSchema& counter : state.sample->schema->counters)
        known.push_back(counter.name);
  for (const std::string& counter : counters)
    if (std::ranges::find(known, counter) == known.end())
      return unknown_name("counter", counter, " is in none of these countersets", known);
  return std::nullopt;
}

}  // namespace

std::shared_ptr<const CountersetSample> part_of(const CountersetSample& sample,
                                                const std::vector<std::size_t>& rows,
                                                const std::vector<std::size_t>& columns) {
  auto schema = std::make_shared<CountersetSchema>(*sample.schema);
  schema->counters.clear();
  for (const std::size_t column : columns)
    schema->counters.push_back(sample.schema->counters[column]);
  auto instances = std::make_shared<InstanceSet>();
  if (schema->multi_instance)
    for (const std::size_t row : rows)
      instances->instances.push_back(sample.instances->instances[row]);
  auto part = std::make_shared<CountersetSample>();
  const auto layout = layout_of(*schema);
  prepare(*part, std::move(schema), layout, std::move(instances), sample.clocks);
  part->own_clocks.resize(sample.own_clocks.empty() ? 0 : part->raw.size());
  for (std::size_t to_column = 0; to_column < columns.size(); ++to_column) {
    const SampleLayout::Column& from = sample.layout->columns[columns[to_column]];
    const SampleLayout::Column& to = layout->columns[to_column];
    for (std::size_t to_row = 0; to_row < part->rows(); ++to_row) {
      const std::size_t from_cell = sample.cell(rows[to_row], columns[to_column]);
      const std::size_t cell = part->cell(to_row, to_column);
      part->raw[cell] = sample.raw[from_cell];
      part->cooked[cell] = sample.cooked[from_cell];
      part->reason[cell] = sample.reason[from_cell];
      if (!part->own_clocks.empty()) part->own_clocks[cell] = sample.own_clocks[from_cell];
      for (const auto place : {&SampleLayout::Column::base, &SampleLayout::Column::total,
                               &SampleLayout::Column::base_total})
        if (to.*place != SampleLayout::kNone)
          part->more_column(to.*place)[to_row] = sample.more_column(from.*place)[rows[to_row]];
    }
  }
  part->owner = sample.owner;
  part->instances_left_out = sample.instances_left_out;
  part->damage = sample.damage;
  return part;
}

bool is_of_whole_countersets(const Query& query) {
  return std::ranges::all_of(query, [](const auto& one) {
    return one.first == "format" || (one.first == "counterset" && !is_pattern(one.second));
  });
}

std::expected<SamplePart, Problem> select_sample(const CountersetIndex& index, const Query& query) {
  const auto selections = selections_of(query);
  if (!selections) return std::unexpected(selections.error());
  Selector selector(index);
  Selector::States states;
  for (const Selection& selection : *selections)
    if (const auto problem = selector.add(selection, states)) return std::unexpected(*problem);
  if (const auto problem = unknown_counter(states, index, query)) return std::unexpected(*problem);
  std::ranges::stable_sort(states, {}, [](const auto& one) { return one.first; });
  auto next = cut(states, index, query);
  if (!next) return std::unexpected(next.error());
  auto part = std::make_shared<Sample>(index.sample());
  part->countersets.clear();
  for (auto& [place, state] : states) part->countersets.push_back(std::move(state));
  return SamplePart{.sample = std::move(part), .next = *std::move(next)};
}

}  // namespace winperf::api
