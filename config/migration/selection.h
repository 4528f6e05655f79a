// The collectors that windows_exporter's settings enable, as countersets and facts.
// Thread rule: one thread.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "config/collectors.h"
#include "config/migration/entries.h"
#include "config/migration/progress.h"

namespace winperf::migration {

// The objects that a setting of windows_exporter's collector performancecounter names, with metric
// names and labels of their own. Thread rule: one thread.
// Source: docs/collector.performancecounter.md of windows_exporter.

// One of an object that is no counterset, or a key that says nothing here, is lost.
std::vector<Entry> custom_objects(Progress& progress);

// The name of a metric that has none in the settings:
// "windows_performancecounter_memory_cache_faults_sec".
std::string default_metric_name(std::string_view object, std::string_view counter);

// The options that select what a collector reads, as filters of our own. Thread rule: one thread.

// The setting that limits a collector to some of its parts: those, in lower case. Nothing: to none.
std::optional<std::vector<std::string>> parts_of(const Collector& collector, Progress& progress);

struct Filters {
  std::vector<std::string> include{};
  std::vector<std::string> exclude{};
};

// `include`, `exclude`: the options' names; "" if there is none. `prefix`: a pattern of what
// precedes what they match. A filter that can't be taken over is lost.
Filters filters_of(const Collector& collector, std::string_view include, std::string_view exclude,
                   std::string_view prefix, Progress& progress);

struct Enabled {
  std::vector<std::string> names;  // as the settings say, unknown ones included
  std::string place;               // of the setting that says so
};

Enabled enabled_collectors(Progress& progress);

struct Selected {
  std::vector<std::string> sets{};  // ready-made ones, by the collector's name
  std::vector<Entry> entries{};
  std::vector<FactEntry> facts{};
  std::size_t collectors = 0;  // how many were taken over
};

// `program_folder`: windows_exporter's. What can't be selected is lost, as `progress` then says.
Selected select(const Enabled& enabled, const std::string& program_folder, Progress& progress);

}  // namespace winperf::migration
