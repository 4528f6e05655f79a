// What the machines of the benchmarks have. Thread rule: pure functions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace winperf::testing {

struct CounterShape {
  std::string name;
  std::uint32_t type = 0;
  bool is_still = false;  // its value stays as long as the instance: ids, start times, settings
};

struct ObjectShape {
  std::string name;
  std::uint32_t index = 0;             // of the object; those of its counters follow, by two
  std::size_t instances = 0;           // 0: an object without instances
  std::vector<CounterShape> counters;  // a base follows the counter that it belongs to
};

using Shape = std::vector<ObjectShape>;

// "A": Process with 300 instances of 28 counters, Processor with 64 of 15, and System; "C": ten
// objects with 100 instances of 20 counters; "C:1000", with so many instances.
std::optional<Shape> shape_called(std::string_view name);

// Bases aren't values.
bool is_base(const CounterShape& counter);
std::uint64_t values_of(const Shape& shape);

// Four or eight bytes.
std::uint32_t bytes_of(const CounterShape& counter);

}  // namespace winperf::testing
