// windows_exporter's collectors, and the countersets that they read: one table.
// Source: windows_exporter 0.31, the objects that each collector reads.
#pragma once

#include <expected>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace winperf {

// An object that a collector reads, and the options that select its instances; "" if none does.
struct ReadObject {
  std::string_view name;          // "A|B": alternatives, the first one that the machine has
  std::string_view include = "";  // "volume-include"
  std::string_view exclude = "";
  std::string_view prefix = "";  // what precedes the names that the options match, as a pattern
  std::string_view part = "";    // its word in the collector's option "enabled"; "" if it has none
};

struct Collector {
  std::string_view name;
  std::span<const ReadObject> objects;  // empty: it reads no performance counters
  std::string_view note;                // what to know, or to do instead; may be empty
};

std::span<const Collector> collectors();
// Null if there is no collector of this name.
const Collector* find_collector(std::string_view name);
std::vector<std::string> alternatives_of(const ReadObject& object);
// The name that may be meant, if there is no collector of this name; may be empty.
std::string_view nearest_collector(std::string_view name);
// The names of all objects that a collector reads, alternatives too. The error is
// nearest_collector().
[[nodiscard]] std::expected<std::vector<std::string>, std::string> objects_of(
    std::string_view collector);
// Those that run without any setting.
std::span<const std::string_view> default_collectors();

}  // namespace winperf
