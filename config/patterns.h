// Entries of the configuration that stand for every counterset whose name matches ("*",
// "MSSQL$*:*"), and those of ready-made sets, which stand for what the machine has of them. In a
// pattern, * stands for any text, and case doesn't matter. Thread rule: any thread.
#pragma once

#include <expected>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "collectors/model/inventory.h"
#include "config/config.h"

namespace winperf {

// A counter's path, as perfmon, typeperf and Get-Counter write it:
//
//   \\machine\object(parent/instance#index)\counter
//
// A path may stand wherever a counterset is named, and selects a part of it. As in perfmon, * in
// the name of an instance or a counter stands for any text, and an instance is named as it is
// shown: "svchost" is the first one of that name only, "svchost#1" the next one. A path may lack
// the instance, or the counter, which then stand for all. Thread rule: any thread. Source: Learn,
// "Specifying a Counter Path".
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

// All countersets. Like any pattern, only an entry that says so takes those that are expensive to
// collect.
inline constexpr std::string_view kEverything = "*";

bool is_pattern(std::string_view name);
// Or sets.
bool has_patterns(const Config& config);
// Whether one of them takes countersets that are expensive to collect, too.
bool wants_costly(const Config& config);

// The same with the countersets that the patterns stand for instead of the patterns: perhaps none,
// and only active ones.
// Each is taken by the first pattern that matches it, and by none if an entry names it; a path is a
// part of a counterset, which it takes from nobody.
Config expanded(const Config& config, const Inventory& inventory);

// The names of those that are no patterns and of no set.
std::vector<std::string> fixed_names(const Config& config);

// Whether it is one of those, and the machine has it by none of its names.
bool is_lacking(const CountersetConfig& entry, const Inventory& inventory);

// The patterns for which there is no counterset; sets of which the machine has nothing are none.
std::vector<std::string> unmatched(const Config& config, const Inventory& inventory);
// The sets of which the machine has no counterset, although they have some; none if the look wasn't
// whole.
std::vector<std::string> empty_sets(const Config& config, const Inventory& inventory);

}  // namespace winperf
