// Entries of the configuration that match every counterset with a matching name ("*", "MSSQL$*:*"),
// and those of collector sets, of which the existing countersets are sampled. In a pattern, *
// matches any text, and case doesn't matter. Thread rule: any thread.
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
// A path may be given wherever a counterset is named, and selects a part of it. As in perfmon, * in
// the name of an instance or a counter matches any text, and an instance has its displayed name:
// "svchost" is only the first of that name, "svchost#1" the next one. A path without an instance or
// without a counter selects all of them. Thread rule: any thread. Source: Learn, "Specifying a
// Counter Path".
struct PerfmonPath {
  std::string machine;  // empty if there is none
  std::string object;
  std::string instance;  // as written, with its parent; empty if there is none
  std::string counter;   // empty if there is none
};

// Nothing if the text isn't a path; then it may be an object's name, which has no backslash.
std::optional<PerfmonPath> parse_perfmon_path(std::string_view text);

// Makes the entry sample what the path selects. The error follows the path in a message.
[[nodiscard]] std::expected<void, std::string> select_path(CountersetConfig& entry,
                                                           const PerfmonPath& path);

// Why a text isn't a counterset's name, pattern or path; it follows the text in a message.
[[nodiscard]] std::optional<std::string> name_problem(const std::string& name);

// The entry that a bare name, or a valid path, is equivalent to on the command line, with the
// default times and API. A pattern there also matches countersets that repeat another one.
CountersetConfig counterset_named(const std::string& name, const Config& config);

// The path without its machine: "\\Processor(_Total)\\% Processor Time".
std::string local_path(const PerfmonPath& path);

// A filter for names, in which * matches any text; case doesn't matter. The error follows the name
// in a message.
[[nodiscard]] std::expected<Filter, std::string> filter_of(const std::string& name);

// A pattern that matches the name, in which * matches any text.
std::string pattern_of_name(std::string_view name);

// All countersets; those that are expensive to collect only in an entry with `costly`.
inline constexpr std::string_view kEverything = "*";

bool is_pattern(std::string_view name);
// Or collector sets.
bool has_patterns(const Config& config);
// Whether one of them matches countersets that are expensive to collect.
bool wants_costly(const Config& config);

// The configuration with each pattern replaced by the active countersets that it matches, perhaps
// none. A counterset belongs to the first pattern that matches it, and to none if an entry names
// it. A path selects a part of a counterset without taking it from a pattern. A pattern that
// matches both Process and Process V2, which has the same counters, selects only Process: the names
// of metrics in dashboards, and what collector sets read, are those of Process.
Config expanded(const Config& config, const Inventory& inventory);

// The countersets that a pattern matches and leaves out because they repeat another one.
std::vector<std::string> repeated(const Config& config, const Inventory& inventory);

// The names of entries that are neither patterns nor of a set.
std::vector<std::string> fixed_names(const Config& config);

// Whether it is one of those, and none of its names exists.
bool is_lacking(const CountersetConfig& entry, const Inventory& inventory);

// The patterns that match no counterset, not counting sets without an existing one.
std::vector<std::string> unmatched(const Config& config, const Inventory& inventory);
// The sets with countersets of which none exists; none if discovery was incomplete.
std::vector<std::string> empty_sets(const Config& config, const Inventory& inventory);

}  // namespace winperf
