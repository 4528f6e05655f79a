// Turns windows_exporter's settings into a configuration of this program, and tells what is lost.
//
// The result is a text with comments that name the origin of each part; this program's own parser
// has accepted it. What can't be taken over is lost, with a message; it is no reason to refuse the
// rest. Thread rule: any thread.
#pragma once

#include <expected>
#include <string>
#include <vector>

#include "config/migration/progress.h"
#include "config/migration/settings.h"

namespace winperf::migration {

// The parts of the result that don't say what to sample: addresses, paths and the log. Each is a
// part of a configuration on lines of its own, which this program accepts. Thread rule: one thread.
std::string listen_section(Progress& progress);
std::string metrics_section(Progress& progress);
// Empty if the settings say nothing about it.
std::string log_section(Progress& progress);
// Of an old option, which limited scrapes at a time.
std::string limits_section(Progress& progress);

// Settings that nothing in the result stands for: what to do about each. Thread rule: one thread.

// Notes or loses every setting that was not used. `enabled`: the names of the collectors.
void explain_leftovers(const std::vector<std::string>& enabled, Progress& progress);

struct Migrated {
  std::string text;               // the configuration
  std::vector<Message> messages;  // what is lost, and what to know
  std::string summary;            // "9 of 11 collectors taken over, 2 losses"
  bool complete = false;          // nothing was lost
};

// `program_folder`: windows_exporter's. The error is a defect of this program.
[[nodiscard]] std::expected<Migrated, std::string> migrate(
    const Settings& settings,
    const std::string& program_folder = "C:\\Program Files\\windows_exporter");

}  // namespace winperf::migration
