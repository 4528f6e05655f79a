// What holds for the tables of a profile together. Thread rule: pure functions.
#pragma once

#include <vector>

#include "exporter/profiles/compile/table.h"

namespace winperf::tables {

void check_rows(const std::vector<Table>& tables, Problems& problems);

}  // namespace winperf::tables
