// A counter's path, as perfmon, typeperf and Get-Counter write it:
//
//   \\machine\object(parent/instance#index)\counter
//
// People paste such paths where this program expects the name of an object. It recognises them, and
// says what to write instead. A path may lack machine and instance. Thread rule: any thread.
// Source: Learn, "Specifying a Counter Path".
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace winperf {

struct PerfmonPath {
  std::string object;
  std::string instance;  // as written, with its parent; empty if there is none
  std::string counter;   // empty if there is none
};

// Nothing if the text isn't a path; then it may be an object's name.
std::optional<PerfmonPath> parse_perfmon_path(std::string_view text);

// The path as an entry of the configuration's countersets: {name: "Memory", counters: {...}}
std::string as_counterset(const PerfmonPath& path);

// A pattern that matches the name, with * for any text.
std::string pattern_of_name(std::string_view name);

}  // namespace winperf
