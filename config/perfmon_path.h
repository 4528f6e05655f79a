// A counter's path, as perfmon, typeperf and Get-Counter write it:
//
//   \\machine\object(parent/instance#index)\counter
//
// People paste such paths where this program wants the name of an object, so they are recognised,
// and answered with what to write instead. Machine and instance may be left out of a path. Thread
// rule: any thread. Source: "Specifying a Counter Path".
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace winperf {

struct PerfmonPath {
  std::string object;
  std::string instance;  // as written, with its parent; empty where none is
  std::string counter;   // empty where none is
};

// Nothing where the text is no path but may be an object's name.
std::optional<PerfmonPath> parse_perfmon_path(std::string_view text);

// The same as an entry of the configuration's countersets: {name: "Memory", counters: {...}}
std::string as_counterset(const PerfmonPath& path);

// The text in quotes, as JSON and the configuration write it.
std::string as_json(std::string_view text);

// A pattern that matches the name, with * for any text.
std::string pattern_of_name(std::string_view name);

}  // namespace winperf
