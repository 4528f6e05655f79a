// The blocks of a profile as C++. Thread rule: pure functions.
#pragma once

#include <string>
#include <vector>

#include "exporter/profiles/compile/table.h"

namespace winperf::tables {

// The source that defines `function` of exporter/profiles/profile.h.
std::string block_source(const std::vector<Table>& tables, const std::string& function);

}  // namespace winperf::tables
