// windows_exporter's settings, from its command line or its configuration file, as one flat list:
// both use the same names, "collector.logical_disk.volume-include".
// Errors: a sentence; for a file, with line and column. Thread rule: any thread.
// Source: the documentation and flags of windows_exporter 0.31, and of its older versions.
#pragma once

#include <cstddef>
#include <expected>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "config/document.h"

namespace winperf::migration {

// Where a text block of a file begins.
struct BlockPlace {
  std::string file;
  std::size_t line = 0;  // of the block's first line; 0: the setting is no block of a file
  std::size_t indent = 0;
};

struct Setting {
  std::string key;                  // "web.listen-address"
  std::vector<std::string> values;  // several if a flag is given several times; the last one
                                    // counts, but for addresses, all of which do
  std::string place;                // for messages: "--log.level", "config.yaml:3:1: log.level"
  BlockPlace block{};
  // The performance counters, if they are a list instead of a text; the value is the file's text.
  std::optional<Node> list{};
};

using Settings = std::vector<Setting>;  // in order, each key once

// "--key=value", "--key value", "--flag", "--no-flag"; one dash is enough. A program's name before
// them is ignored. Properties of windows_exporter's installer, and what Chocolatey calls them, are
// read as the flags that they become.
[[nodiscard]] std::expected<Settings, std::string> read_flags(
    std::span<const std::string> arguments);
// Reads YAML. Anything else is refused as a whole.
[[nodiscard]] std::expected<Settings, std::string> read_file(std::string_view text,
                                                             const std::string& name);

// Whether all of its values count, not only the last one.
bool is_list(const Setting& setting);

// The parts of a value without the spaces around them; empty ones are left out.
std::vector<std::string> split(std::string_view text, char separator);

// "config.yaml:12:9: collector.performancecounter.objects", of a byte of the setting's value.
std::string place_in(const Setting& setting, std::size_t offset);

}  // namespace winperf::migration
