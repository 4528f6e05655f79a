#include "collectors/recorder/leaders.h"

#include <algorithm>
#include <functional>
#include <optional>
#include <string_view>
#include <utility>

#include "collectors/base/ascii.h"
#include "collectors/recorder/lives.h"
#include "collectors/recorder/thinning.h"

namespace winperf::recorder {
namespace {

using Seconds = std::chrono::duration<double>;

Seconds length_of(const Lives& lives, const Life& life, std::size_t from, std::size_t to) {
  return lives.at(life.points[to].moment).steady - lives.at(life.points[from].moment).steady;
}

// Without a value, such as that of operations while there were none, it continues nevertheless.
bool continues(const Lives& lives, const Life& life, std::size_t point) {
  const auto value = lives.cooked(life, point, point + 1);
  return value || !is_interrupted(value.error());
}

// From each begin as far as nothing interrupts.
std::optional<std::pair<std::size_t, std::size_t>> longest_part(const Lives& lives,
                                                                const Life& life) {
  std::optional<std::pair<std::size_t, std::size_t>> longest;
  for (std::size_t from = 0; from + 1 < life.points.size();) {
    std::size_t to = from;
    while (to + 1 < life.points.size() && continues(lives, life, to)) ++to;
    if (to > from && (!longest || length_of(lives, life, from, to) >
                                      length_of(lives, life, longest->first, longest->second)))
      longest = {from, to};
    from = std::max(to, from + 1);
  }
  return longest;
}

// Of a counter that needs two samples.
bool measure(const Lives& lives, const Life& life, Seconds whole, Leader& leader) {
  const auto part = longest_part(lives, life);
  if (!part) return false;
  const auto value = lives.cooked(life, part->first, part->second);
  if (!value) return false;
  leader.from = lives.at(life.points[part->first].moment);
  leader.to = lives.at(life.points[part->second].moment);
  leader.value = *value;
  leader.weight = *value * (length_of(lives, life, part->first, part->second) / whole);
  return true;
}

// Of one whose value is there in each sample.
bool measure_highest(const Lives& lives, const Life& life, Leader& leader) {
  std::optional<double> highest;
  for (std::size_t i = 0; i < life.points.size(); ++i) {
    const auto range = lives.range(life.points[i]);
    const auto value = lives.cooked(life, i, i);
    if (range)
      highest = std::max(highest.value_or(range->highest), range->highest);
    else if (value)
      highest = std::max(highest.value_or(*value), *value);
  }
  if (!highest) return false;
  leader.from = lives.at(life.points.front().moment);
  leader.to = lives.at(life.points.back().moment);
  leader.value = *highest;
  leader.weight = *highest;
  return true;
}

}  // namespace

std::expected<std::vector<Leader>, Error> leaders(const Track& track, const LeaderQuery& query) {
  const auto lives = Lives::open(track, query.counter, query.since, query.until);
  if (!lives) return std::unexpected(lives.error());
  std::vector<Leader> result;
  if (lives->moments() == 0) return result;
  const std::size_t last = lives->moments() - 1;
  const Seconds whole = lives->at(last).steady - lives->at(0).steady;
  for (const Life& life : lives->lives()) {
    if (query.has_rivals && (is_total(life.instance) || is_idle(life.instance))) continue;
    if (query.instances && !query.instances(life.instance)) continue;
    Leader leader{.instance = life.instance,
                  .from = {},
                  .to = {},
                  .was_born = life.points.front().moment != 0,
                  .has_ended = life.points.back().moment != last};
    const bool has_value = lives->needs_previous() ? measure(*lives, life, whole, leader)
                                                   : measure_highest(*lives, life, leader);
    if (has_value) result.push_back(std::move(leader));
  }
  const auto count = static_cast<std::ptrdiff_t>(std::min(query.count, result.size()));
  std::ranges::partial_sort(result, result.begin() + count, std::ranges::greater(),
                            &Leader::weight);
  result.resize(static_cast<std::size_t>(count));
  return result;
}

}  // namespace winperf::recorder
