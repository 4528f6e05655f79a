// windows_exporter as it is installed on this machine: its service, and what that runs with.
// Errors: a sentence. Thread rule: one thread.
#pragma once

#include <expected>
#include <string>
#include <vector>

#include "service/scm/service_manager.h"

namespace winperf {

struct InstalledExporter {
  std::string service;  // "windows_exporter"; of old versions "wmi_exporter"
  ServiceState state = ServiceState::kStopped;
  std::vector<std::string> words;  // its command line, from the program on
  std::string folder;              // of its program
};

[[nodiscard]] std::expected<InstalledExporter, std::string> find_exporter(ServiceManager& manager);

// The configuration of our own service: the one that it is installed with, or else where the
// installer would put it.
[[nodiscard]] std::expected<std::string, std::string> own_config_file(ServiceManager& manager);

// The commands that switch over, and the one that switches back, for a person. `program`: ours.
std::string switching_commands(const std::string& program, const std::string& config_file,
                               const std::string& other_service);

}  // namespace winperf
