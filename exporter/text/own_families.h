// What the exporter's own metrics are made of, whatever they are about. Those that a selection
// leaves out are not made. Thread rule: any thread.
#pragma once

#include <prometheus/client_metric.h>
#include <prometheus/metric_family.h>

#include <optional>
#include <string>
#include <vector>

#include "exporter/text/page_selection.h"

namespace winperf {

// A family without metrics.
[[nodiscard]] prometheus::MetricFamily own_family(const char* name, const char* help,
                                                  prometheus::MetricType type);
// A counter or gauge with one label.
[[nodiscard]] prometheus::ClientMetric own_metric(const char* label, const std::string& label_value,
                                                  prometheus::MetricType type, double value);

// A number that each item has.
template <class Item>
struct OwnDefinition {
  const char* name;
  const char* help;
  prometheus::MetricType type = prometheus::MetricType::Gauge;
  std::optional<double> (*value)(const Item&) = nullptr;  // left out if it has none
};

// `label_value`: the item's member that tells it from the others.
template <class Definitions, class Items, class Item>
void add_own_families(std::vector<prometheus::MetricFamily>& families,
                      const PageSelection& selection, const Definitions& definitions,
                      const Items& items, const char* label, std::string Item::* label_value) {
  for (const OwnDefinition<Item>& definition : definitions) {
    if (!selection.has_name(definition.name)) continue;
    auto& family =
        families.emplace_back(own_family(definition.name, definition.help, definition.type));
    for (const Item& item : items)
      if (const auto value = definition.value(item))
        family.metric.push_back(own_metric(label, item.*label_value, definition.type, *value));
  }
}

// Of families that are there already, what is selected. Those without the label `counterset` are
// about all.
[[nodiscard]] std::vector<prometheus::MetricFamily> selected_families(
    std::vector<prometheus::MetricFamily> families, const PageSelection& selection);

}  // namespace winperf
