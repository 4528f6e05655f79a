// The collectors that windows_exporter's settings enable, as countersets and facts.
// Thread rule: one thread.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "config/migration/entries.h"
#include "config/migration/settings.h"

namespace winperf::migration {

// The objects in a setting of windows_exporter's collector performancecounter, with custom metric
// names and labels. Thread rule: one thread. Source: docs/collector.performancecounter.md of
// windows_exporter.

// One of an object that is no counterset, or a key that says nothing here, is lost.
std::vector<Entry> custom_objects(Progress& progress);

// The name of a metric that has none in the settings:
// "windows_performancecounter_memory_cache_faults_sec".
std::string default_metric_name(std::string_view object, std::string_view counter);

struct Enabled {
  std::vector<std::string> names;  // from the settings, unknown ones included
  std::string place;               // of the setting
};

Enabled enabled_collectors(Progress& progress);

struct Selected {
  std::vector<std::string> sets{};  // ready-made ones, by the collector's name
  std::vector<Entry> entries{};
  std::vector<FactEntry> facts{};
  std::size_t collectors = 0;  // how many were converted
};

// `program_folder`: windows_exporter's. Collectors that can't be converted are lost in `progress`.
Selected select(const Enabled& enabled, const std::string& program_folder, Progress& progress);

}  // namespace winperf::migration
