#include "service/commands/counter_road.h"

#include <array>
#include <iostream>
#include <vector>

#include "collectors/base/path_text.h"
#include "collectors/base/printable.h"
#include "config/edit.h"
#include "service/commands/new_file.h"
#include "service/run/start_diagnosis.h"
#include "service/scm/service_definition.h"

namespace winperf {

CounterRoad road_of(const Config& config) {
  using Configured = decltype(Config::own_counters);
  switch (config.own_counters) {
    case Configured::kV1:
      return CounterRoad::kV1;
    case Configured::kV2:
      return CounterRoad::kV2;
    case Configured::kNone:
      break;
  }
  return CounterRoad::kNone;
}

std::expected<void, std::string> write_road(const std::string& config_file, CounterRoad road) {
  const std::filesystem::path file = path_of(config_file);
  const auto before = read_config_file(file);
  if (!before) return std::unexpected(describe(before.error().front()));
  const std::array changes{
      ConfigChange{.key = "own_counters", .value = std::string(name_of(road))}};
  const auto edits = set_config_values(*before, config_file, changes);
  if (!edits) return std::unexpected(edits.error());
  if (const auto failure = change_file(file, edits->text, false)) return std::unexpected(*failure);
  std::cout << printable("own_counters set to " + std::string(name_of(road)) + " in " + config_file)
            << '\n';
  return {};
}

InstalledProgram installed_program(ServiceManager& manager) {
  const auto facts = manager.facts(kServiceName);
  if (!facts || !is_own_command_line(facts->command_line))
    return {.executable = manager.executable()};
  const std::vector<std::string> words = split_command_line(facts->command_line);
  return {.is_installed = true,
          .executable = words.empty() ? manager.executable() : words.front(),
          .config_file = config_file_in(words)};
}

}  // namespace winperf
