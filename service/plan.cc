#include "service/plan.h"

namespace winperf {
namespace {

NamePredicate make_predicate(const Filter& filter) {
  if (filter.accepts_all()) return {};
  return [filter](std::string_view name) { return filter.accepts(name); };
}

}  // namespace

std::vector<PlannedCounterset> make_plan(const Config& config) {
  std::vector<PlannedCounterset> plan;
  plan.reserve(config.countersets.size());
  for (const CountersetConfig& counterset : config.countersets) {
    plan.push_back({.label = counterset.label,
                    .names = counterset.names,
                    .interval = counterset.interval,
                    .selection = {.instances = make_predicate(counterset.instances),
                                  .counters = make_predicate(counterset.counters)}});
  }
  return plan;
}

Language name_language(const Config& config) {
  return config.language == NameLanguage::kMachine ? Language::kMachine : Language::kEnglish;
}

}  // namespace winperf
