// A row about a counter: metric | type | counter | value | labels | note. Thread rule: pure
// functions.
#pragma once

#include <expected>
#include <string>
#include <string_view>

#include "exporter/profiles/compile/table.h"

namespace winperf::tables {

// The error says what is wrong with it.
[[nodiscard]] std::expected<Row, std::string> read_counter_row(std::string_view line);
// Of any row: the first column, which all begin with.
bool is_metric(std::string_view text);

}  // namespace winperf::tables
