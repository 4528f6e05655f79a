// Turns windows_exporter's settings into a configuration of this program, and tells what is lost.
//
// The result is a text with comments that name the origin of each part; this program's own parser
// has accepted it. What can't be taken over is lost, with a message; it is no reason to refuse the
// rest. Thread rule: any thread.
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
