// Turns windows_exporter's settings into a configuration of this program, and lists what has no
// counterpart.
//
// The result is a text with comments that name the origin of each part; this program's own parser
// has accepted it. Metric names are not part of it: they differ. Errors: a sentence. Thread rule:
// any thread.
#pragma once

#include <expected>
#include <string>
#include <vector>

#include "config/migration/settings.h"

namespace winperf::migration {

struct Migrated {
  std::string text;                // the configuration
  std::vector<std::string> notes;  // what has no counterpart, and what to know; sentences
  std::string summary;             // how much was migrated; a sentence
  bool complete = false;           // everything was
};

[[nodiscard]] std::expected<Migrated, std::string> migrate(const Settings& settings);

}  // namespace winperf::migration
