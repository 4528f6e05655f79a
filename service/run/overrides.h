// What the command line says instead of the configuration: `run --listen` and exporter-toolkit's
// flags. Thread rule: any thread.
#pragma once

#include <cstdint>
#include <expected>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "config/config.h"

namespace winperf {

// Where the program listens: as configured, or where the command line says. Thread rule: any
// thread.

// The value of --listen: "ADDRESS:PORT", "[::1]:PORT", or ":PORT" for every interface. What is
// served there, and under which names, is as configured for this address, otherwise the default;
// how it is protected, as configured for this address, otherwise for the first one. The error is a
// sentence for the command line.
[[nodiscard]] std::expected<ListenConfig, std::string> parse_listen(
    std::string_view text, const std::vector<ListenConfig>& configured);

struct Overrides {
  std::vector<std::string> listen{};  // "ADDRESS:PORT"; empty: as configured
  std::string web_config_file{};      // of all addresses; empty: as configured
  std::string telemetry_path{};       // of the metrics; the same
  bool no_exporter_metrics = false;
  std::optional<std::uint32_t> max_requests{};  // 0: as many as possible, as node_exporter has it
};

// The configuration as it is used, with the web configurations of that. The error is a sentence for
// the command line, or describes each error of a file on a line of its own.
[[nodiscard]] std::expected<LoadedConfig, std::string> with_overrides(
    LoadedConfig loaded, const Overrides& overrides, const ReadFile& read = read_config_file);

// The files that a configuration names for its addresses, whose changes count while it is used.
std::vector<std::string> web_files(const Config& config);

}  // namespace winperf
