#include "tests/exporter/support/large_sample.h"

#include <string>
#include <utility>
#include <vector>

#include "tests/exporter/support/sample_builder.h"
#include "tests/support/sample_arrays.h"

namespace winperf::testing {
namespace {

CountersetState counterset(const std::string& name, std::size_t counters, std::size_t instances,
                           const std::string& machine = {}) {
  std::vector<CounterSchema> columns;
  for (std::size_t i = 0; i < counters; ++i)
    columns.push_back(counter("Segments " + std::to_string(i) + "/sec", kBulkCount,
                              static_cast<std::uint32_t>(6 + 2 * i)));
  std::vector<InstanceSchema> rows;
  for (std::size_t i = 0; i < instances; ++i)
    rows.push_back(instance("service number " + std::to_string(i), static_cast<std::uint32_t>(i)));
  CountersetSchema schema = object(name, std::move(columns), instances != 0);
  schema.machine = machine;
  CountersetSample all = values(std::move(schema), std::move(rows));
  for (std::size_t cell = 0; cell < all.raw.size(); ++cell) {
    all.raw[cell] = 1'000'003 * (cell + name.size());
    totals(all)[cell] = all.raw[cell];
    all.cooked[cell] = static_cast<double>(cell) / 7;
  }
  CountersetState made = state(name, std::move(all));
  made.machine = machine;
  return made;
}

// Few have most of the values.
std::size_t instances_of(std::size_t place) {
  if (place % 16 == 7) return 150;
  return place % 4 == 1 ? 20 : place % 3;
}

}  // namespace

std::shared_ptr<Sample> large_sample(std::size_t countersets) {
  std::vector<CountersetState> states;
  for (const char* const name : {"TCPv4", "TCPv6", "IPv4", "IPv6"})
    states.push_back(counterset(name, 12, 0));
  for (const char* const machine : {"ONE", "TWO"})
    states.push_back(counterset("Shared", 6, 40, machine));
  while (states.size() + 1 < countersets)
    states.push_back(counterset("Object " + std::to_string(states.size()), 10 + states.size() % 20,
                                instances_of(states.size())));
  states.emplace_back().name = "Absent";
  auto made = sample(1, std::move(states));
  for (const char* const name : {"TCPv4", "Object 9", ""})
    made->problems.push_back({name, ErrorCode::kTruncated, 3, {}});
  return made;
}

}  // namespace winperf::testing
