#include "service/commands/common.h"

#include <iostream>

namespace winperf {

std::optional<Config> load_config(const std::string& file) {
  if (file.empty()) return default_config();
  // Paths of the command line are UTF-8, on Windows too.
  auto config = load_config_file(std::u8string(file.begin(), file.end()));
  if (config) return *std::move(config);
  for (const ConfigError& error : config.error()) std::cerr << describe(error) << '\n';
  return std::nullopt;
}

void complain(std::string_view message) { std::cerr << "winperf_exporter: " << message << '\n'; }

}  // namespace winperf
