// The collectors that windows_exporter's settings enable, as countersets and facts.
// Thread rule: one thread.
#pragma once

#include <string>
#include <vector>

#include "config/collectors.h"
#include "config/migration/entries.h"
#include "config/migration/progress.h"

namespace winperf::migration {

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
