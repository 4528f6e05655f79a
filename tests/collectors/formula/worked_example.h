// A worked example: raw values of two samples and what has to come out, written as text so that
// tests and docs/counter-types.md share one notation.
//   a sample   "N=1000 B=7 T=50000000 F=10000000": counter, base, time and frequency of the type's
//              clock; F is 10000000 where left out. "-" for no sample. A number may be hexadecimal
//              ("0xFF"), and is as wide as its type says unless it says otherwise ("N=1000:8").
//   a result   "12.5", or the name of a NoValue ("zero_base")
#pragma once

#include <expected>
#include <optional>
#include <string>
#include <string_view>

#include "tests/support/cook_cell.h"

namespace winperf::testing {

struct WorkedExample {
  std::string name;
  CounterType type{};
  std::optional<Measurement> before;
  Measurement now;
  std::expected<double, NoValue> result;
};

// Empty if the text is not in the notation.
std::optional<WorkedExample> parse_example(std::string name, CounterType type,
                                           std::string_view before, std::string_view now,
                                           std::string_view result);

std::expected<double, NoValue> cook(const WorkedExample& example, const CellOptions& options = {});

// Fails the test, naming the example, unless it comes out as written.
void expect_result(const WorkedExample& example);

// The type of the table with this name ("PERF_COUNTER_COUNTER"); the first if there are two.
std::optional<CounterType> type_named(std::string_view name);

}  // namespace winperf::testing
