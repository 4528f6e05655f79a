// Worked examples of every counter type: raw values of one or two samples, and the answer.
// They are run by worked_examples_test.cc, and every type of the table has to have one.
#pragma once

#include <expected>
#include <optional>
#include <span>
#include <string_view>

#include "collectors/formula/cook.h"

namespace winperf::testing {

struct ExampleSample {
  std::uint64_t value = 0;
  std::uint64_t base = 0;
  std::int64_t time = 0;  // on the clock of the counter's time base
};

struct WorkedExample {
  std::string_view name;
  std::uint32_t type = 0;
  std::uint8_t value_bytes = 4;
  std::uint8_t base_bytes = 0;
  std::int64_t frequency = 10'000'000;  // of PerfTime and of the object's clock
  std::optional<ExampleSample> before;
  ExampleSample now;
  std::expected<double, NoValue> cooked;
};

std::span<const WorkedExample> worked_examples();

// What cook() makes of the example.
std::expected<double, NoValue> cook_example(const WorkedExample& example);

}  // namespace winperf::testing
