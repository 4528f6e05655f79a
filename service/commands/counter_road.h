// The road by which the exporter's own counters are registered, for `service` and `doctor`: from
// the configuration, and into it. Thread rule: one thread.
#pragma once

#include <expected>
#include <optional>
#include <string>

#include "config/config.h"
#include "service/scm/counter_state.h"
#include "service/scm/service_manager.h"

namespace winperf {

CounterRoad road_of(const Config& config);

// Sets the key own_counters of the file, and says so on standard output. The error is a sentence.
[[nodiscard]] std::expected<void, std::string> write_road(const std::string& config_file,
                                                          CounterRoad road);

// What runs as the installed service, and its configuration. If there is none, the program itself
// and no file.
struct InstalledProgram {
  bool is_installed = false;
  std::string executable{};
  std::string config_file{};
};
InstalledProgram installed_program(ServiceManager& manager);

}  // namespace winperf
