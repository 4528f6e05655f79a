// The metrics of a listing's objects, and which of them a configuration samples: shown by
// `metrics`. Thread rule: any thread.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "collectors/model/metric_profile.h"
#include "config/config.h"
#include "exporter/mapping/family.h"
#include "service/commands/listing.h"
#include "service/console/look.h"

namespace winperf {

// All metrics of a profile, on this machine or not: shown by `metrics --profile`. Thread rule: one
// thread.
struct ProfileMetric {
  std::string name;
  std::string type;                 // "counter" or "gauge"
  std::vector<std::string> labels;  // their names
  std::string source;               // "Processor Information\% C1 Time, % C2 Time"
  bool served = false;              // on this machine, by this configuration
};

// Sorted by name. `served`: the names of those that are.
std::vector<ProfileMetric> list_profile(MetricProfile profile,
                                        const std::set<std::string, std::less<>>& served);

// The names that this configuration would serve of these objects, with that profile.
std::set<std::string, std::less<>> served_names(const Listing& listing, Config config,
                                                MetricProfile profile);

// No wider than `most_columns`, if that is possible.
std::string profile_to_table(const std::vector<ProfileMetric>& metrics,
                             std::size_t most_columns = kUnlimitedColumns);
std::string profile_to_json(const std::vector<ProfileMetric>& metrics);

// A counter that a metric shows.
struct MetricSource {
  std::string object;
  std::string counter;
  CounterType type{};
  std::string labels;                   // of its series alone: "mode=\"user\""; may be empty
  bool sampled = false;                 // a configured counterset has it
  bool on_page = false;                 // and the page shows it
  std::optional<std::size_t> series{};  // on the page, at present; nothing if it isn't known
};

struct ListedMetric {
  std::string name;
  MetricType type = MetricType::kGauge;
  std::string unit;  // a base unit, or empty
  std::string help;
  std::vector<std::string> labels;  // their names, in the order of a series
  std::vector<MetricSource> sources;

  bool sampled() const;  // at least one source is
  bool on_page() const;  // the same
  // On the page, at present; nothing if it isn't known.
  std::optional<std::size_t> series() const;
};

// In order of their names: those on the page as they are there, then those that metrics.detail
// leaves out, and those that aren't sampled, as on a page with everything. Series are counted if
// the listing has the instances. `is_live`: the samples come at the configured intervals.
std::vector<ListedMetric> list_metrics(const Listing& listing, const Config& config, bool is_live);

std::string metrics_to_table(const std::vector<ListedMetric>& metrics,
                             std::size_t most_columns = kUnlimitedColumns);
std::string metrics_to_json(const std::vector<ListedMetric>& metrics);

}  // namespace winperf
