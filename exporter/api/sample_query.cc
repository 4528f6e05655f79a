#include "exporter/api/sample_query.h"

#include <algorithm>
#include <charconv>
#include <utility>
#include <vector>

#include "config/patterns.h"
#include "exporter/api/selection.h"

namespace winperf::api {
namespace {

template <class Value>
using OrProblem = std::expected<Value, Problem>;

// The countersets of a part, with their places in the sample.
using States = std::vector<std::pair<std::size_t, CountersetState>>;

// Adds what is selected.
std::optional<Problem> add_states(const CountersetIndex& index, const Selection& selection,
                                  Selector& selector, States& states) {
  const auto places = selector.places_of(selection);
  if (!places) return places.error();
  if (const auto problem = unknown_counter(selection, index.sample(), *places)) return problem;
  for (const std::size_t place : *places) {
    CountersetState state = index.sample().countersets[place];
    if (state.sample != nullptr) {
      const auto cells = selector.cells_of(selection, place);
      if (!cells) continue;
      const bool is_whole = cells->columns.size() == state.sample->columns() &&
                            cells->rows.size() == state.sample->rows();
      if (!is_whole) state.sample = part_of(*state.sample, cells->rows, cells->columns);
    }
    states.emplace_back(place, std::move(state));
  }
  return selector.problem(selection);
}

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
OrProblem<std::optional<std::string>> cut(States& states, const CountersetIndex& index,
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
std::optional<Problem> unknown_counters(const States& states, const CountersetIndex& index,
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
    return one.first == "format" || one.first == "target" || one.first == "module" ||
           (one.first == "counterset" && !is_pattern(one.second));
  });
}

std::expected<SamplePart, Problem> select_sample(const CountersetIndex& index, const Query& query) {
  const auto selections = selections_of(query);
  if (!selections) return std::unexpected(selections.error());
  Selector selector(index);
  States states;
  for (const Selection& selection : *selections)
    if (const auto problem = add_states(index, selection, selector, states))
      return std::unexpected(*problem);
  if (const auto problem = unknown_counters(states, index, query)) return std::unexpected(*problem);
  std::ranges::stable_sort(states, {}, [](const auto& one) { return one.first; });
  auto next = cut(states, index, query);
  if (!next) return std::unexpected(next.error());
  auto part = std::make_shared<Sample>(index.sample());
  part->countersets.clear();
  for (auto& [place, state] : states) part->countersets.push_back(std::move(state));
  return SamplePart{.sample = std::move(part), .next = *std::move(next)};
}

}  // namespace winperf::api
