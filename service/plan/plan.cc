#include "service/plan/plan.h"

#include <algorithm>
#include <utility>

#include "collectors/match/filter.h"
#include "config/patterns.h"
#include "exporter/mapping/page_plan.h"
#include "exporter/profiles/collector.h"

namespace winperf {
namespace {

NamePredicate instance_predicate(const CountersetConfig& counterset,
                                 const AbandonedMatchObserver& abandoned_match) {
  if (counterset.instances.accepts_all()) return {};
  return [filter = counterset.instances, label = counterset.label,
          abandoned_match](std::string_view name) {
    const FilterResult result = filter.check(name);
    if (abandoned_match && result.limit_reached) abandoned_match(label);
    return result.accepted;
  };
}

// The counter by which instances are chosen is always wanted.
CounterPredicate counter_predicate(const CountersetConfig& counterset,
                                   const AbandonedMatchObserver& abandoned_match) {
  if (counterset.counters.accepts_all()) return {};
  return [filter = counterset.counters, label = counterset.label, by = counterset.ranked_by,
          abandoned_match](const CounterSchema& counter) {
    if (!by.empty() && is_called(counter, by)) return true;
    const FilterResult result = filter.check(counter.name, counter.local_name);
    if (abandoned_match && result.limit_reached) abandoned_match(label);
    return result.accepted;
  };
}

std::function<std::vector<InstanceLabel>(std::string_view)> labels_of(
    const CountersetConfig& counterset, const AbandonedMatchObserver& abandoned_match) {
  if (!counterset.label_pattern) return {};
  return [pattern = *counterset.label_pattern, label = counterset.label,
          abandoned_match](std::string_view name) {
    Capture capture = pattern.capture(name);
    if (abandoned_match && capture.match == Match::kLimitReached) abandoned_match(label);
    std::vector<InstanceLabel> labels;
    for (GroupText& group : capture.groups)
      labels.push_back({.name = std::move(group.group), .value = std::move(group.text)});
    return labels;
  };
}

std::optional<InstanceLimit> limit_of(const CountersetConfig& counterset) {
  if (!counterset.max_instances) return std::nullopt;
  return InstanceLimit{.instances = *counterset.max_instances, .by = counterset.ranked_by};
}

// The delivered name lacks the number and the parent that perfmon shows.
std::string instance_pattern(const CountersetConfig& counterset) {
  const std::string wildcard = wildcard_for(counterset.instances);
  const bool has_more = wildcard.find_first_of("#/") != std::string::npos;
  return counterset.instances_as_displayed && has_more ? "*" : wildcard;
}

std::optional<std::string> one_counter(const CountersetConfig& counterset) {
  const auto name = only_name(counterset.counters);
  return counterset.ranked_by.empty() || counterset.ranked_by == name ? name : std::nullopt;
}

Selection make_selection(const CountersetConfig& counterset, const MetricsConfig& metrics,
                         const AbandonedMatchObserver& abandoned_match) {
  return {.instances = instance_predicate(counterset, abandoned_match),
          .by_display_name = counterset.instances_as_displayed,
          .counters = counter_predicate(counterset, abandoned_match),
          .instance_id = counterset.instance_id,
          .limit = limit_of(counterset),
          .labels = labels_of(counterset, abandoned_match),
          .cook = {.cap_percent = metrics.cap_percentages},
          .instance_pattern = instance_pattern(counterset),
          .one_counter = one_counter(counterset)};
}

PlannedCounterset plan_of(const CountersetConfig& counterset, const Config& config,
                          const AbandonedMatchObserver& abandoned_match) {
  return {
      .label = counterset.label,
      .names = counterset.names,
      .interval = counterset.interval,
      .stale_after = counterset.stale_after,
      .path = counterset.path.value_or(config.path),
      .selection = make_selection(counterset, config.metrics, abandoned_match),
      .object = counterset.object ? std::optional(ObjectIndex{*counterset.object}) : std::nullopt,
      .is_of_everything = counterset.is_of_everything,
      .absence = counterset.absence,
      .label_names = counterset.label_pattern ? counterset.label_pattern->groups()
                                              : std::vector<std::string>()};
}

// Settings that only affect when values are sampled or how they are shown are not compared.
bool samples_the_same(const Config& a, const CountersetConfig& old, const Config& b,
                      const CountersetConfig& in_b) {
  if (old.label != in_b.label) return false;
  CountersetConfig in_a = old;
  if (a.metrics.cap_percentages != b.metrics.cap_percentages) return false;
  if (in_a.path.value_or(a.path) != in_b.path.value_or(b.path)) return false;
  in_a.path = in_b.path;
  in_a.interval = in_b.interval;
  in_a.stale_after = in_b.stale_after;
  // Names of metrics matter only on the page.
  in_a.instance_label = in_b.instance_label;
  in_a.metrics = in_b.metrics;
  // How it was discovered matters only at first.
  in_a.object = in_b.object;
  in_a.is_of_everything = in_b.is_of_everything;
  in_a.absence = in_b.absence;
  return in_a == in_b;
}

}  // namespace

std::vector<PlannedCounterset> make_plan(const Config& config,
                                         const AbandonedMatchObserver& abandoned_match) {
  std::vector<PlannedCounterset> plan;
  plan.reserve(config.countersets.size());
  for (const CountersetConfig& counterset : config.countersets)
    plan.push_back(plan_of(counterset, config, abandoned_match));
  return plan;
}

PlannedCounterset plan_named(const std::string& name, const Config& config) {
  return plan_of(counterset_named(name, config), config, {});
}

std::vector<PlanStep> make_plan(const Config& before, const Config& next,
                                const AbandonedMatchObserver& abandoned_match) {
  std::vector<PlanStep> steps;
  std::vector<PlannedCounterset> plan = make_plan(next, abandoned_match);
  for (std::size_t i = 0; i < plan.size(); ++i) {
    PlanStep& step = steps.emplace_back(PlanStep{.planned = std::move(plan[i])});
    const auto same = std::ranges::find_if(before.countersets, [&](const CountersetConfig& old) {
      return samples_the_same(before, old, next, next.countersets[i]);
    });
    if (same != before.countersets.end())
      step.continues = static_cast<std::size_t>(same - before.countersets.begin());
  }
  return steps;
}

PerflibLimits perflib_limits(const Config& config) {
  return {.max_bytes = config.limits.max_reply_bytes};
}

// Null if the configuration chooses no names.
std::shared_ptr<const CustomBlocks> custom_blocks(const Config& config) {
  std::vector<CustomObject> objects;
  for (const CountersetConfig& entry : config.countersets)
    if (!entry.metrics.empty())
      objects.push_back(
          {.counterset = entry.label,
           .instance_label = entry.instance_label,
           .total_instances = config.metrics.total_instances || !entry.instances.include.empty(),
           .metrics = entry.metrics});
  if (objects.empty()) return nullptr;
  return std::make_shared<const CustomBlocks>(std::move(objects));
}

// The countersets whose instances or metrics the configuration has chosen.
std::vector<std::string> chosen_countersets(const Config& config) {
  std::vector<std::string> chosen;
  for (const CountersetConfig& entry : config.countersets)
    if (entry.max_instances || !entry.instances.include.empty() || !entry.metrics.empty())
      chosen.push_back(entry.label);
  return chosen;
}

MappingOptions mapping_options(const Config& config) {
  return {.profiles = config.metrics.profiles,
          .total_instances = config.metrics.total_instances,
          .values = config.metrics.values,
          .created = config.metrics.created,
          .exporter = config.metrics.exporter,
          .detail = config.metrics.detail,
          .leading_processes = config.metrics.leading_processes,
          .chosen = chosen_countersets(config),
          .max_series = config.limits.max_series,
          .custom = custom_blocks(config)};
}

MappingOptions full_mapping(const Config& config) {
  MappingOptions options = mapping_options(config);
  options.detail = PageDetail::kFull;
  return options;
}

MappingOptions mapping_beside_facts(const Config& config) {
  MappingOptions options = mapping_options(config);
  for (const MetricProfile profile : config.metrics.profiles)
    for (const FactMetric& metric : fact_metrics(profile))
      if (std::ranges::find(config.facts, metric.topic, &FactConfig::topic) != config.facts.end())
        options.of_facts.push_back(metric.name);
  return options;
}

Language name_language(const Config& config) {
  return config.language == NameLanguage::kMachine ? Language::kMachine : Language::kEnglish;
}

}  // namespace winperf
