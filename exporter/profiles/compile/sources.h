// The tables as C++. What doesn't fit together is a problem. Thread rule: pure functions.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "exporter/profiles/compile/table.h"

namespace winperf::tables {

// Defines profile_blocks() of exporter/profiles/profile.h.
std::string block_source(const std::vector<Profile>& profiles, Problems& problems);
// Defines collectors() and collector_of() of exporter/profiles/collector.h. `current` has a table
// for each collector, `legacy` for those that only older versions had.
std::string collector_source(const Profile& current, const Profile& legacy, Problems& problems);
// Defines fact_metrics() of exporter/profiles/collector.h.
std::string fact_source(const std::vector<Profile>& profiles, Problems& problems);

// Appends the definition of an array to the others, and returns what a span of it is initialized
// with. An empty one is no array.
std::string array_of(const std::string& type, const std::string& name, const std::string& items,
                     std::string& arrays);
// A source: constants, and functions that return them.
std::string source_of(const std::string& header, const std::string& constants,
                      const std::string& functions);
// A function that returns, for each profile, the span of its array.
std::string function_of(const std::string& type, const std::string& name,
                        const std::vector<std::pair<std::string, std::string>>& spans);

}  // namespace winperf::tables
