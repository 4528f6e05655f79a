// windows_exporter's collectors, and what stands for them here: one table.
// Source: windows_exporter 0.31, the objects that each collector reads.
#pragma once

#include <span>
#include <string_view>

namespace winperf::migration {

// What a collector reads: an object, and the options that select its instances, "" where none does.
struct ReadObject {
  std::string_view name;     // "A|B": alternatives, the first that the machine has
  std::string_view include;  // "volume-include"
  std::string_view exclude;
  std::string_view before = "";  // what stands before the names that they match, as a pattern
  std::string_view part = "";  // what its "enabled" option calls it; "" where it can't leave it out
};

struct Collector {
  std::string_view name;
  std::span<const ReadObject> objects;  // empty: it reads no performance counters
  std::string_view note;                // what to know, or to do instead; may be empty
};

std::span<const Collector> collectors();
// Those that run where nothing is said.
std::span<const std::string_view> default_collectors();

}  // namespace winperf::migration
