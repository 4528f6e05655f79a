// The objects that a setting of windows_exporter's collector performancecounter names, with metric
// names and labels of their own. Thread rule: one thread.
// Source: docs/collector.performancecounter.md of windows_exporter.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "config/migration/entries.h"
#include "config/migration/progress.h"

namespace winperf::migration {

// One of an object that is no counterset, or a key that says nothing here, is lost.
std::vector<Entry> custom_objects(Progress& progress);

// The name of a metric that has none in the settings:
// "windows_performancecounter_memory_cache_faults_sec".
std::string default_metric_name(std::string_view object, std::string_view counter);

}  // namespace winperf::migration
