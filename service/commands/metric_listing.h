// The metrics that the objects of a listing give, and which of them a configuration samples: what
// `metrics` shows. Thread rule: any thread.
#pragma once

#include <string>
#include <vector>

#include "config/config.h"
#include "exporter/mapping/family.h"
#include "service/commands/listing.h"

namespace winperf {

// A counter that a metric shows.
struct MetricSource {
  std::string object;
  std::string counter;
  CounterType type{};
  std::string labels;    // of its series alone: "mode=\"user\""; may be empty
  bool sampled = false;  // a configured counterset has it
};

struct ListedMetric {
  std::string name;
  MetricType type = MetricType::kGauge;
  std::string unit;  // a base unit, or empty
  std::string help;
  std::vector<std::string> labels;  // their names, in the order of a series
  std::vector<MetricSource> sources;

  bool sampled() const;  // at least one source is
};

// In order of their names: what is sampled as the page has it, and the rest as a page with
// everything would have it.
// `is_live`: the samples come at the configured intervals.
std::vector<ListedMetric> list_metrics(const Listing& listing, const Config& config, bool is_live);

std::string metrics_to_table(const std::vector<ListedMetric>& metrics);
std::string metrics_to_json(const std::vector<ListedMetric>& metrics);

}  // namespace winperf
