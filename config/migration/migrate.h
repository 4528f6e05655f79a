// Converts windows_exporter's settings to a configuration of this program, and reports losses.
//
// The result is a text with comments that name the origin of each part; this program's own parser
// has accepted it. Settings that can't be converted are lost, with a message; the rest is still
// converted. Thread rule: any thread.
#pragma once

#include <expected>
#include <string>
#include <vector>

#include "config/migration/settings.h"

namespace winperf::migration {

struct Migrated {
  std::string text;               // the configuration
  std::vector<Message> messages;  // losses and notes
  std::string summary;            // "9 of 11 collectors taken over, 2 losses"
  bool complete = false;          // nothing was lost
};

// `program_folder`: windows_exporter's. The error is a defect of this program.
[[nodiscard]] std::expected<Migrated, std::string> migrate(
    const Settings& settings,
    const std::string& program_folder = "C:\\Program Files\\windows_exporter");

}  // namespace winperf::migration
