// Entries of the configuration that stand for every counterset whose name matches ("*",
// "MSSQL$*:*"), and those of ready-made sets, which stand for what the machine has of them. In a
// pattern, * stands for any text, and case doesn't matter. Thread rule: any thread.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "collectors/model/inventory.h"
#include "config/config.h"

namespace winperf {

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
