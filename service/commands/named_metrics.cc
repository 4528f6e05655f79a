#include "service/commands/named_metrics.h"

#include <algorithm>
#include <functional>
#include <utility>

#include "collectors/base/ascii.h"
#include "collectors/base/wording.h"
#include "config/patterns.h"
#include "exporter/mapping/name_table.h"
#include "service/plan/plan.h"

namespace winperf {
namespace {

struct NamedObject {
  std::string name;  // as given
  PlannedCounterset planned{};

  bool selects(const CounterSchema& counter) const {
    return !planned.selection.counters || planned.selection.counters(counter);
  }
};

std::vector<NamedObject> named_objects_of(const std::vector<std::string>& names) {
  std::vector<NamedObject> objects;
  for (const std::string& name : names) objects.push_back({name, plan_named(name, Config())});
  return objects;
}

bool shows(const ListedMetric& metric, const CountersetSchema& object,
           const CounterSchema& counter) {
  return std::ranges::any_of(metric.sources, [&](const MetricSource& source) {
    return equal_names(source.object, object.name) && equal_names(source.counter, counter.name);
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

}  // namespace

std::vector<ListedMetric> named_metrics(std::vector<ListedMetric> metrics, const Listing& listing,
                                        const std::vector<std::string>& names) {
  const std::vector<NamedObject> named = named_objects_of(names);
  const auto is_named = [&](const ListedMetric& metric) {
    for (const NamedObject& one : named)
      for (const ListedObject& object : listing.objects)
        if (is_called(object.schema, one.planned.names.front()))
          for (const CounterSchema& counter : object.schema.counters)
            if (one.selects(counter) && shows(metric, object.schema, counter)) return true;
    return false;
  };
  if (!named.empty()) std::erase_if(metrics, std::not_fn(is_named));
  return metrics;
}

std::vector<std::string> reasons_without_metric(const std::vector<ListedMetric>& metrics,
                                                const Listing& listing, const Config& config,
                                                const std::vector<std::string>& names) {
  std::vector<std::string> reasons;
  for (const NamedObject& one : named_objects_of(names)) {
    const auto path = parse_perfmon_path(one.name);
    if (!path) continue;
    for (const ListedObject& object : listing.objects) {
      if (!is_called(object.schema, one.planned.names.front())) continue;
      for (const CounterSchema& counter : object.schema.counters) {
        const auto shows_it = [&](const ListedMetric& metric) {
          return shows(metric, object.schema, counter);
        };
        if (path->counter.empty() || !one.selects(counter)) continue;
        const auto is_sampled = [&](const ListedMetric& metric) {
          return shows_it(metric) && metric.sampled();
        };
        if (std::ranges::none_of(metrics, shows_it))
          reasons.push_back(reason_without_metric(object.schema, counter));
        else if (std::ranges::none_of(metrics, is_sampled))
          reasons.push_back(in_quotes(object.schema.name + '\\' + counter.name) +
                            " is not sampled by this configuration; add it to countersets, or its "
                            "collector set to collect");
      }
    }
    InstanceSchema instance;
    instance.name = path->instance;
    if (is_total(instance) && !config.metrics.total_instances)
      reasons.push_back("the instance " + in_quotes(path->instance) +
                        " adds up others and is not on /metrics, unless "
                        "metrics.total_instances is true or the configuration names its path");
  }
  return reasons;
}

}  // namespace winperf
