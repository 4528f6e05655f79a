// What the sampler has to ask for: the countersets, how often, and which part of them is wanted.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "collectors/formula/cook.h"
#include "collectors/model/counter_path.h"

namespace winperf {

using NamePredicate = std::function<bool(std::string_view)>;

// Which instances and counters of an object are published, and how they are cooked; an empty
// predicate takes all.
struct Selection {
  NamePredicate instances{};  // by the instance's name as delivered
  NamePredicate counters{};   // by the counter's English name
  // Only the instance with this id: PerfLib's instance id, the registry's unique id.
  std::optional<std::uint32_t> instance_id{};
  CookOptions cook{};
  // What a provider can be asked for instead of everything; the predicates decide all the same.
  std::string instance_pattern{"*"};         // of `*` and `?`, without regard to case
  std::optional<std::string> one_counter{};  // all that is wanted is the counter with this name
};

struct PlannedCounterset {
  std::string label;               // how the counterset is called in metrics and messages
  std::vector<std::string> names;  // alternatives: the first that this machine has is taken. An
                                   // English object name, its title index in decimal, or
                                   // the GUID of a V2 counterset.
  std::chrono::milliseconds interval{5000};
  CounterPath path = CounterPath::kAuto;
  Selection selection{};
};

// One counterset of a plan that takes the place of another plan.
struct PlanStep {
  PlannedCounterset planned{};
  // The position in the plan before of the counterset that this one goes on, with what it has
  // learned and counted so far; only the interval may differ. Nothing: it begins anew.
  std::optional<std::size_t> continues{};
};

}  // namespace winperf
