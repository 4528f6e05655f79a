// windows_exporter's settings, from its command line or its configuration file, as one flat list:
// both use the same names, "collector.logical_disk.volume-include".
// Errors: a sentence, of a file with line and column. Thread rule: any thread.
// Source: windows_exporter's docs and flags of version 0.31.
#pragma once

#include <expected>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace winperf::migration {

struct Setting {
  std::string key;                  // "web.listen-address"
  std::vector<std::string> values;  // of a flag given several times, or a list
  std::string place;                // for messages: "--log.level", "config.yaml:3:1: log.level"
};

using Settings = std::vector<Setting>;  // in order, each key once

// "--key=value", "--key value", "--flag", "--no-flag"; one dash will do, too. A program's name in
// front is left out.
std::expected<Settings, std::string> read_flags(std::span<const std::string> arguments);
// YAML; the file as a whole is refused where it is not that.
std::expected<Settings, std::string> read_file(std::string_view text, const std::string& name);

}  // namespace winperf::migration
