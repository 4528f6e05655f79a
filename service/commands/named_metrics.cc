#include "service/commands/named_metrics.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "collectors/base/ascii.h"
#include "collectors/base/wording.h"
#include "config/patterns.h"
#include "exporter/mapping/name_table.h"
#include "service/plan/plan.h"

namespace winperf {
namespace {

// A counter of the listing that a name selects.
struct Named {
  std::optional<PerfmonPath> path{};  // if the name is one
  const CountersetSchema* object = nullptr;
  const CounterSchema* counter = nullptr;
};

std::vector<Named> named_counters(const Listing& listing, const std::vector<std::string>& names) {
  std::vector<Named> named;
  for (const std::string& name : names) {
    const PlannedCounterset planned = plan_named(name, Config());
    const auto& selects = planned.selection.counters;
    for (const ListedObject& object : listing.objects) {
      if (!is_called(object.schema, planned.names.front())) continue;
      for (const CounterSchema& counter : object.schema.counters)
        if (!selects || selects(counter))
          named.push_back({parse_perfmon_path(name), &object.schema, &counter});
    }
  }
  return named;
}

bool shows(const ListedMetric& metric, const Named& named) {
  return std::ranges::any_of(metric.sources, [&](const MetricSource& source) {
    return equal_names(source.object, named.object->name) &&
           equal_names(source.counter, named.counter->name);
  });
}

std::string reason_without_metric(const CountersetSchema& object, const CounterSchema& counter) {
  const CounterRow& row = counter_row(object.name, counter.name);
  std::string text = in_quotes(counter.name) + " has no metric";
  if (row.covered_by.empty()) return text + "; docs/metric-names.md has the counters without one";
  std::vector<std::string> others;
  for (const std::string_view other : alternatives(row.covered_by))
    others.push_back(in_quotes(std::string(other)));
  return text + ", because it can be computed from those of " + joined(others, ", ");
}

// Nothing if one of the metrics shows it and is sampled.
std::optional<std::string> reason_of(const Named& named, const std::vector<ListedMetric>& metrics) {
  bool has_metric = false;
  for (const ListedMetric& metric : metrics) {
    if (!shows(metric, named)) continue;
    if (metric.sampled()) return std::nullopt;
    has_metric = true;
  }
  if (!has_metric) return reason_without_metric(*named.object, *named.counter);
  return in_quotes(named.object->name + '\\' + named.counter->name) +
         " is not sampled by this configuration; add it to countersets, or its collector set to "
         "collect";
}

}  // namespace

std::vector<ListedMetric> named_metrics(std::vector<ListedMetric> metrics, const Listing& listing,
                                        const std::vector<std::string>& names) {
  if (names.empty()) return metrics;
  const std::vector<Named> named = named_counters(listing, names);
  std::erase_if(metrics, [&](const ListedMetric& metric) {
    return std::ranges::none_of(named, [&](const Named& one) { return shows(metric, one); });
  });
  return metrics;
}

std::vector<std::string> reasons_without_metric(const std::vector<ListedMetric>& metrics,
                                                const Listing& listing, const Config& config,
                                                const std::vector<std::string>& names) {
  std::vector<std::string> reasons;
  for (const Named& named : named_counters(listing, names))
    if (named.path && !named.path->counter.empty())
      if (auto reason = reason_of(named, metrics)) reasons.push_back(*std::move(reason));
  for (const std::string& name : names) {
    InstanceSchema instance;
    if (const auto path = parse_perfmon_path(name)) instance.name = path->instance;
    if (is_total(instance) && !config.metrics.total_instances)
      reasons.push_back("the instance " + in_quotes(instance.name) +
                        " adds up others and is not on /metrics, unless "
                        "metrics.total_instances is true or the configuration names its path");
  }
  return reasons;
}

}  // namespace winperf
