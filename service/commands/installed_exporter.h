// The windows_exporter installed on this machine: its service and command line. Errors: a sentence.
// Thread rule: one thread.
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

// The configuration file of our service: as installed, or else the installer's default path.
[[nodiscard]] std::expected<std::string, std::string> own_config_file(ServiceManager& manager);

// Instructions: the commands that switch over, and the one that switches back. `program`: ours.
std::string switching_commands(const std::string& program, const std::string& config_file,
                               const std::string& other_service);

}  // namespace winperf
