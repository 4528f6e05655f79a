// A counter's path, as perfmon, typeperf and Get-Counter write it:
//
//   \\machine\object(parent/instance#index)\counter
//
// A path may stand wherever a counterset is named, and selects a part of it. As in perfmon, * in
// the name of an instance or a counter stands for any text, and an instance is named as it is
// shown: "svchost" is the first one of that name only, "svchost#1" the next one. A path may lack
// the instance, or the counter, which then stand for all. Thread rule: any thread. Source: Learn,
// "Specifying a Counter Path".
#pragma once

#include <expected>
#include <optional>
#include <string>
#include <string_view>

#include "config/config.h"

namespace winperf {

struct PerfmonPath {
  std::string machine;  // empty if there is none
  std::string object;
  std::string instance;  // as written, with its parent; empty if there is none
  std::string counter;   // empty if there is none
};

// Nothing if the text isn't a path; then it may be an object's name, which has no backslash.
std::optional<PerfmonPath> parse_perfmon_path(std::string_view text);

// Makes the entry sample what the path names. The error, which follows the path in a message, says
// why that can't be, and what to write instead.
[[nodiscard]] std::expected<void, std::string> select_path(CountersetConfig& entry,
                                                           const PerfmonPath& path);

// Why a text can't be a counterset's name, pattern or path; it follows the text in a message.
[[nodiscard]] std::optional<std::string> name_problem(const std::string& name);

// The entry of the configuration that a name, or a path without an error, stands for by itself;
// with the times and the path of one that sets none.
CountersetConfig counterset_named(const std::string& name, const Config& config);

// The path without its machine: "\\Processor(_Total)\\% Processor Time".
std::string local_path(const PerfmonPath& path);

// What accepts a name, with * for any text, whatever its case. The error, which follows the name in
// a message, says why that can't be.
[[nodiscard]] std::expected<Filter, std::string> filter_of(const std::string& name);

// A pattern that matches the name, with * for any text.
std::string pattern_of_name(std::string_view name);

}  // namespace winperf
