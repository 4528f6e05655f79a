#include "service/plan.h"

#include "config/wildcard.h"

namespace winperf {
namespace {

NamePredicate make_predicate(const Filter& filter) {
  if (filter.accepts_all()) return {};
  return [filter](std::string_view name) { return filter.accepts(name); };
}

Selection make_selection(const CountersetConfig& counterset, const MetricsConfig& metrics) {
  return {.instances = make_predicate(counterset.instances),
          .counters = make_predicate(counterset.counters),
          .instance_id = counterset.instance_id,
          .cook = {.cap_percent = metrics.cap_percentages},
          .instance_pattern = wildcard_for(counterset.instances),
          .one_counter = only_name(counterset.counters)};
}

}  // namespace

std::vector<PlannedCounterset> make_plan(const Config& config) {
  std::vector<PlannedCounterset> plan;
  plan.reserve(config.countersets.size());
  for (const CountersetConfig& counterset : config.countersets) {
    plan.push_back({.label = counterset.label,
                    .names = counterset.names,
                    .interval = counterset.interval,
                    .path = static_cast<PathChoice>(counterset.path.value_or(config.path)),
                    .selection = make_selection(counterset, config.metrics)});
  }
  return plan;
}

PerflibLimits perflib_limits(const Config& config) {
  return {.max_bytes = config.limits.max_reply_bytes};
}

Language name_language(const Config& config) {
  return config.language == NameLanguage::kMachine ? Language::kMachine : Language::kEnglish;
}

}  // namespace winperf
