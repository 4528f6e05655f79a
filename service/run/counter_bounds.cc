#include "service/run/counter_bounds.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <optional>
#include <set>
#include <utility>

#include "collectors/base/printable.h"

namespace winperf {
namespace {

std::string number_text(double number) {
  char digits[64];
  const auto end = std::to_chars(digits, digits + sizeof digits, number);
  return {digits, end.ptr};
}

// With as many decimals as people read.
std::string value_text(double value) {
  constexpr double kMostRounded = 1e12;
  constexpr double kDecimals = 1e3;
  return number_text(std::abs(value) < kMostRounded ? std::round(value * kDecimals) / kDecimals
                                                    : value);
}

std::string bound_text(const CounterBound& bound) {
  return bound.path + (bound.above ? " above " + number_text(*bound.above)
                                   : " below " + number_text(*bound.below));
}

// One that is beyond the bound; otherwise any. Nothing if there is no value.
struct FoundValue {
  bool is_beyond = false;
  double value = 0;
  std::string instance{};  // empty if the object has none
};
using MaybeValue = std::optional<FoundValue>;

// What adds up the others, and the idle process, which has what they leave, only count by name.
bool counts(const CountersetSample& sample, std::size_t row, const api::Selection& selection) {
  if (!sample.schema->multi_instance || selection.names_instance) return true;
  const InstanceSchema& instance = sample.instances->instances[row];
  return !is_total(instance) && !is_idle(instance);
}

MaybeValue value_in(const CountersetSample& sample, const api::SelectedCells& cells,
                    const api::Selection& selection, const CounterBound& bound) {
  MaybeValue found;
  for (const std::size_t column : cells.columns)
    for (const std::size_t row : cells.rows) {
      if (!counts(sample, row, selection)) continue;
      const std::size_t cell = sample.cell(row, column);
      const double value = sample.cooked[cell];
      if (sample.reason[cell] != NoValue::kNone || !std::isfinite(value)) continue;
      const bool is_beyond = bound.above ? value > *bound.above : value < *bound.below;
      if (!is_beyond && found) continue;
      found = {.is_beyond = is_beyond, .value = value};
      if (sample.schema->multi_instance)
        found->instance = display_name(sample.instances->instances[row]);
      if (is_beyond) return found;
    }
  return found;
}

}  // namespace

void CounterBounds::change(const std::vector<CounterBound>& bounds, SteadyTime now) {
  changed_at_ = now;
  std::vector<Watched> next;
  for (const CounterBound& bound : bounds) {
    const auto known = std::ranges::find(watched_, bound, &Watched::bound);
    if (known != watched_.end()) {
      next.push_back(*known);
      continue;
    }
    Watched added;
    added.bound = bound;
    auto selections = api::selections_of(api::Query{{"path", bound.path}});
    if (selections)
      added.selection = std::move(selections->front());
    else
      note_problem(added, selections.error().detail);
    next.push_back(std::move(added));
  }
  watched_ = std::move(next);
}

void CounterBounds::note_problem(Watched& watched, const std::string& what) {
  if (!std::exchange(watched.has_problem, true))
    problems_.push_back("recorder.captures.counters: " + printable(watched.bound.path) + ": " +
                        what);
}

std::vector<std::string> CounterBounds::take_problems() { return std::exchange(problems_, {}); }

std::vector<Crossing> CounterBounds::crossed_by(const std::shared_ptr<const Sample>& sample,
                                                SteadyTime now) {
  std::vector<Crossing> crossings;
  if (sample == nullptr || watched_.empty()) return crossings;
  const CountersetIndex index(sample);
  for (Watched& watched : watched_) {
    if (watched.selection.path.empty()) continue;  // it isn't one
    if (const auto looked = look(watched, *sample, index, crossings))
      watched.has_problem = false;
    else if (now - changed_at_ >= kPatience)
      note_problem(watched, looked.error());
  }
  return crossings;
}

// The error is a sentence.
std::expected<void, std::string> CounterBounds::look(Watched& watched, const Sample& sample,
                                                     const CountersetIndex& index,
                                                     std::vector<Crossing>& crossings) const {
  api::Selector selector(index);
  const auto places = selector.places_of(watched.selection);
  if (!places) return std::unexpected(places.error().detail);
  MaybeValue found;
  for (const std::size_t place : *places) {
    const CountersetState& state = sample.countersets[place];
    if (!state.success || state.sample == nullptr || (found && found->is_beyond)) continue;
    if (const auto cells = selector.cells_of(watched.selection, place))
      if (auto value = value_in(*state.sample, *cells, watched.selection, watched.bound);
          value && (!found || value->is_beyond))
        found = std::move(value);
  }
  if (found) {
    const bool was_crossed = std::exchange(watched.is_crossed, found->is_beyond);
    if (found->is_beyond && !was_crossed)
      crossings.push_back({.bound = bound_text(watched.bound),
                           .value = value_text(found->value) +
                                    (found->instance.empty() ? "" : " of " + found->instance),
                           .is_again = watched.is_put_back});
    watched.is_put_back = watched.is_put_back && found->is_beyond;
  }
  if (const auto unknown = unknown_counter(watched.selection, sample, *places))
    return std::unexpected(unknown->detail);
  if (const auto problem = selector.problem(watched.selection))
    return std::unexpected(problem->detail);
  return {};
}

void CounterBounds::put_back(const Crossing& crossing) {
  for (Watched& watched : watched_)
    if (bound_text(watched.bound) == crossing.bound) {
      watched.is_crossed = false;
      watched.is_put_back = true;
    }
}

}  // namespace winperf
