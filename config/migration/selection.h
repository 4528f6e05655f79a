// The collectors that windows_exporter's settings enable, as countersets.
// Errors: a sentence. Thread rule: one thread.
#pragma once

#include <expected>
#include <string>
#include <vector>

#include "config/collectors.h"
#include "config/migration/entries.h"
#include "config/migration/settings.h"

namespace winperf::migration {

struct Enabled {
  std::vector<std::string> names;  // as the settings say, unknown ones included
  std::string place;               // of the setting that says so
};

Enabled enabled_collectors(Progress& progress);

struct Selected {
  std::vector<Entry> entries;
  std::size_t collectors = 0;  // how many of them became entries
};

// What can't be selected is noted in `progress`; the error is about a setting that is invalid.
[[nodiscard]] std::expected<Selected, std::string> select(const Enabled& enabled,
                                                          Progress& progress);

}  // namespace winperf::migration
