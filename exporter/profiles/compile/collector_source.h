// The collectors of windows_exporter as C++. Thread rule: pure functions.
#pragma once

#include <string>
#include <vector>

#include "exporter/profiles/compile/table.h"

namespace winperf::tables {

// The source that defines collectors() and collector_of() of exporter/profiles/collector.h.
// `current` has a table for each collector, `legacy` for those that only older versions had.
std::string collector_source(const std::vector<Table>& current, const std::vector<Table>& legacy,
                             Problems& problems);

}  // namespace winperf::tables
