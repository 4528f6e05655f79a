// Command-line overrides of the configuration: `run --listen` and exporter-toolkit's flags. Thread
// rule: any thread.
#pragma once

#include <cstdint>
#include <expected>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "config/config.h"

namespace winperf {

// The listen addresses, from the configuration or the command line. Thread rule: any thread.

// The value of --listen: "ADDRESS:PORT", "[::1]:PORT", or ":PORT" for every interface. What it
// serves, and under which host names, is taken from the configuration of this address, otherwise
// from the defaults; its protection from this address, otherwise from the first one. The error is a
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

// The effective configuration, with its web configurations. The error is a sentence for the command
// line, or one line for each error of a file.
[[nodiscard]] std::expected<LoadedConfig, std::string> with_overrides(
    LoadedConfig loaded, const Overrides& overrides, const ReadFile& read = read_config_file);

// The files of a configuration's addresses, which are watched while it is in use.
std::vector<std::string> web_files(const Config& config);

}  // namespace winperf
