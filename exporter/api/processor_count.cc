#include "exporter/api/processor_count.h"

#include <algorithm>
#include <charconv>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "collectors/base/ascii.h"

namespace winperf::api {
namespace {

// A node or group, 0 without one, and a number within it.
using Place = std::pair<std::uint32_t, std::uint32_t>;

constexpr std::string_view kTotal = "_Total";

std::optional<std::uint32_t> number_in(std::string_view text) {
  std::uint32_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

// Of "7" or "0,7".
std::optional<Place> place_of(std::string_view name) {
  const std::size_t comma = name.find(',');
  const auto number = number_in(name.substr(comma == std::string_view::npos ? 0 : comma + 1));
  const auto group = comma == std::string_view::npos ? 0 : number_in(name.substr(0, comma));
  if (!number || !group) return std::nullopt;
  return Place(*group, *number);
}

// One after the other from the first one on; a new group may begin with any number.
bool are_all(const std::vector<Place>& places) {
  Place before;
  for (const Place& place : places) {
    const bool is_first = &place == &places.front();
    if (is_first && place != Place()) return false;
    const bool is_next = place == Place(before.first, before.second + 1);
    if (!is_first && !is_next && place.first != before.first + 1) return false;
    before = place;
  }
  return !places.empty();
}

// If the configuration selects instances, those that are sampled aren't all.
std::optional<std::uint64_t> count_in(const std::vector<InstanceSchema>& instances) {
  std::vector<Place> places;
  bool has_total = false;
  for (const InstanceSchema& instance : instances) {
    has_total |= instance.name == kTotal;
    if (instance.name.ends_with(kTotal)) continue;
    const auto place = place_of(instance.name);
    if (!place) return std::nullopt;
    places.push_back(*place);
  }
  std::ranges::sort(places);
  if (!has_total || !are_all(places)) return std::nullopt;
  return places.size();
}

std::optional<std::uint64_t> from_facts(const FactSnapshot* facts, SteadyTime now) {
  if (facts == nullptr) return std::nullopt;
  const auto state = std::ranges::find(facts->topics, FactTopic::kProcessors, &FactState::topic);
  if (state == facts->topics.end() || !is_fresh(*state, now)) return std::nullopt;
  double sum = 0;
  for (const FactRow& row : state->table->rows) {
    const FactValue* const value = row.find("logical_processors");
    const double* const number = value == nullptr ? nullptr : std::get_if<double>(value);
    if (number == nullptr) return std::nullopt;
    sum += *number;
  }
  if (sum < 1) return std::nullopt;
  return static_cast<std::uint64_t>(sum);
}

}  // namespace

std::optional<std::uint64_t> logical_processors(const Sample* sample, const FactSnapshot* facts,
                                                SteadyTime now) {
  if (const auto known = from_facts(facts, now)) return known;
  if (sample == nullptr) return std::nullopt;
  // The second one shows only the group of processors that its reader runs in.
  for (const std::string_view name : {"Processor Information", "Processor"})
    for (const CountersetState& state : sample->countersets)
      if (state.sample != nullptr && is_fresh(state, now) && state.sample->schema->multi_instance &&
          equal_names(state.sample->schema->name, name))
        if (const auto count = count_in(state.sample->instances->instances)) return count;
  return std::nullopt;
}

}  // namespace winperf::api
