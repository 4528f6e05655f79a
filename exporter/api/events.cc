#include "exporter/api/events.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <string_view>
#include <utility>

#include "exporter/api/event_part.h"

namespace winperf::api {
namespace {

EventValue event_value(const CountersetSample& sample, std::size_t cell) {
  const double cooked = sample.cooked[cell];
  if (sample.reason[cell] != NoValue::kNone) return {.reason = name_of(sample.reason[cell])};
  if (!std::isfinite(cooked)) return {.reason = "not_finite"};
  return {.cooked = cooked};
}

// At most so many, of the first instances; the part has how many are left out. Returns how many
// there are.
std::size_t add_values(const CountersetSample& sample, const SelectedCells& cells, std::size_t most,
                       EventPart& part) {
  const std::size_t columns = std::min(cells.columns.size(), most);
  part.left_out = cells.rows.size() * cells.columns.size();
  if (columns == 0) return 0;
  const std::size_t rows = std::min(cells.rows.size(), most / columns);
  part.left_out -= rows * columns;
  if (sample.schema->multi_instance)
    for (std::size_t row = 0; row < rows; ++row)
      part.instances.push_back(&sample.instances->instances[cells.rows[row]]);
  for (std::size_t column = 0; column < columns; ++column) {
    EventColumn& to = part.columns.emplace_back();
    to.name = sample.schema->counters[cells.columns[column]].name;
    for (std::size_t row = 0; row < rows; ++row)
      to.values.push_back(event_value(sample, sample.cell(cells.rows[row], cells.columns[column])));
  }
  return rows * columns;
}

// Whether the counterset has one of the counters, as far as that is known.
bool may_have(const Selection& selection, const CountersetState& state) {
  return state.sample == nullptr ||
         std::ranges::any_of(state.sample->schema->counters, [&](const CounterSchema& counter) {
           return selection.counters.check(counter.name).accepted;
         });
}

}  // namespace

std::expected<EventSelection, Problem> EventSelection::open(
    const std::shared_ptr<const Sample>& sample, const Query& query) {
  auto selections = selections_of(query);
  if (!selections) return std::unexpected(selections.error());
  if (selections->front().path.empty())
    return std::unexpected(Problem{.detail = "the parameter path is needed", .parameter = "path"});
  EventSelection opened;
  opened.selections_ = *std::move(selections);
  if (const auto problem = opened.select(sample)) return std::unexpected(*problem);
  return opened;
}

// A counterset that is no longer sampled may come back.
bool EventSelection::is_of(const Sample& sample) const {
  if (!std::ranges::equal(names_, sample.countersets, {}, {}, &CountersetState::name)) return false;
  return std::ranges::all_of(parts_, [&](const Part& part) {
    const auto& now = sample.countersets[part.cells.place].sample;
    return now == nullptr || (now->schema == part.schema && now->instances == part.instances);
  });
}

std::optional<Problem> EventSelection::select(const std::shared_ptr<const Sample>& sample) {
  std::optional<Problem> first_problem;
  const auto note = [&](const std::optional<Problem>& problem) {
    if (!first_problem) first_problem = problem;
  };
  const CountersetIndex index(sample);
  Selector selector(index);
  std::vector<Part> parts;
  for (std::size_t i = 0; i < selections_.size(); ++i) {
    const auto places = selector.places_of(selections_[i]);
    if (!places) {
      note(places.error());
      continue;
    }
    note(unknown_counter(selections_[i], *sample, *places));
    for (const std::size_t place : *places)
      if (may_have(selections_[i], sample->countersets[place]))
        parts.push_back(part_of_place(selector, i, *sample, place));
    note(selector.problem(selections_[i]));
  }
  note_ended(parts, *sample);
  parts_ = std::move(parts);
  names_.clear();
  for (const CountersetState& state : sample->countersets) names_.push_back(state.name);
  return first_problem;
}

void EventSelection::note_ended(const std::vector<Part>& parts, const Sample& sample) {
  for (const Part& old : parts_) {
    const std::string& name = names_[old.cells.place];
    const bool goes_on = std::ranges::any_of(parts, [&](const Part& one) {
      return one.selection == old.selection && sample.countersets[one.cells.place].name == name;
    });
    if (!goes_on) ended_.push_back({.selection = old.selection, .counterset = name});
  }
}

EventSelection::Part EventSelection::part_of_place(Selector& selector, std::size_t selection,
                                                   const Sample& sample, std::size_t place) const {
  const CountersetState& state = sample.countersets[place];
  Part part{.selection = selection, .cells = {.place = place, .rows = {}, .columns = {}}};
  if (state.sample != nullptr) {
    if (auto cells = selector.cells_of(selections_[selection], place))
      part.cells = *std::move(cells);
    part.schema = state.sample->schema;
    part.instances = state.sample->instances;
  }
  const auto before = std::ranges::find_if(parts_, [&](const Part& one) {
    return one.selection == selection && names_[one.cells.place] == state.name;
  });
  part.shown = before != parts_.end() ? before->shown : after_;
  part.was_failing = before != parts_.end() && before->was_failing;
  return part;
}

void EventSelection::skip(SteadyTime after) {
  after_ = std::max(after_, after);
  for (Part& part : parts_) part.shown = std::max(part.shown, after);
}

std::vector<EventSelection::Watched> EventSelection::watched() const {
  std::vector<Watched> watched;
  for (const Part& part : parts_)
    watched.push_back(
        {.selection = &selections_[part.selection], .counterset = names_[part.cells.place]});
  return watched;
}

Event EventSelection::event(const std::shared_ptr<const Sample>& sample) {
  if (!is_of(*sample)) select(sample);
  Event event;
  std::vector<EventPart> parts;
  for (const Ended& ended : ended_) {
    EventPart& part = parts.emplace_back();
    part.path = selections_[ended.selection].path;
    part.counterset = ended.counterset;
    part.error = "is no longer sampled";
  }
  std::size_t left = kMostEventValues;
  for (Part& part : parts_) {
    const CountersetState& state = sample->countersets[part.cells.place];
    const bool is_new = state.sample != nullptr && state.sampled_at.steady > part.shown;
    const bool is_failing = !state.success && state.attempts != 0;
    const bool begins_to_fail = is_failing && !part.was_failing;
    part.was_failing = is_failing;
    if (!is_new && !begins_to_fail) continue;
    EventPart& shown = parts.emplace_back();
    shown.path = selections_[part.selection].path;
    shown.counterset = state.name;
    if (state.sample != nullptr) shown.sampled_at = state.sampled_at.wall;
    if (is_failing) shown.error = describe_failure(state);
    if (!is_new) continue;
    left -= add_values(*state.sample, part.cells, left, shown);
    part.shown = state.sampled_at.steady;
    event.at = std::max(event.at, part.shown);
  }
  event.document = event_document(parts);
  ended_.clear();
  return event;
}

}  // namespace winperf::api
