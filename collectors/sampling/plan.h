// What the sampler has to ask for: the countersets, how often, and which part of them is wanted.
#pragma once

#include <chrono>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace winperf {

using NamePredicate = std::function<bool(std::string_view)>;

// Which instances and counters of an object are published; an empty predicate takes all.
struct Selection {
  NamePredicate instances;  // by the instance's name as delivered
  NamePredicate counters;   // by the counter's English name
};

struct PlannedCounterset {
  std::string label;               // how the counterset is called in metrics and messages
  std::vector<std::string> names;  // alternatives: the first that this machine has is taken. An
                                   // English object name, or its title index in decimal.
  std::chrono::milliseconds interval{5000};
  Selection selection;
};

}  // namespace winperf
