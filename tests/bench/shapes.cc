#include "tests/bench/shapes.h"

#include <algorithm>
#include <charconv>

#include "tests/exporter/support/sample_builder.h"

namespace winperf::testing {
namespace {

constexpr std::uint32_t kRawBase = 0x40030403;
// Indexes that Windows itself doesn't use: a table that names others is taken for a wrong one.
constexpr std::uint32_t kFirstIndex = 10'000;

// As Windows delivers them.
ObjectShape process(std::size_t instances) {
  return {"Process",
          kFirstIndex,
          instances,
          {{"% Processor Time", k100nsTimer},
           {"% User Time", k100nsTimer},
           {"% Privileged Time", k100nsTimer},
           {"Virtual Bytes Peak", kLargeRawCount},
           {"Virtual Bytes", kLargeRawCount},
           {"Page Faults/sec", kCounterCounter},
           {"Working Set Peak", kLargeRawCount},
           {"Working Set", kLargeRawCount},
           {"Page File Bytes Peak", kLargeRawCount},
           {"Page File Bytes", kLargeRawCount},
           {"Private Bytes", kLargeRawCount},
           {"Thread Count", kRawCount},
           {"Priority Base", kRawCount, true},
           {"Elapsed Time", kElapsedTime, true},
           {"ID Process", kRawCount, true},
           {"Creating Process ID", kRawCount, true},
           {"Pool Paged Bytes", kRawCount},
           {"Pool Nonpaged Bytes", kRawCount},
           {"Handle Count", kRawCount},
           {"IO Read Operations/sec", kBulkCount},
           {"IO Write Operations/sec", kBulkCount},
           {"IO Data Operations/sec", kBulkCount},
           {"IO Other Operations/sec", kBulkCount},
           {"IO Read Bytes/sec", kBulkCount},
           {"IO Write Bytes/sec", kBulkCount},
           {"IO Data Bytes/sec", kBulkCount},
           {"IO Other Bytes/sec", kBulkCount},
           {"Working Set - Private", kLargeRawCount}}};
}

ObjectShape processor(std::size_t instances) {
  return {"Processor",
          kFirstIndex + 200,
          instances,
          {{"% Processor Time", k100nsTimerInverse},
           {"% User Time", k100nsTimer},
           {"% Privileged Time", k100nsTimer},
           {"Interrupts/sec", kCounterCounter},
           {"% DPC Time", k100nsTimer},
           {"% Interrupt Time", k100nsTimer},
           {"DPCs Queued/sec", kCounterCounter},
           {"DPC Rate", kRawCount},
           {"% Idle Time", k100nsTimer},
           {"% C1 Time", k100nsTimer},
           {"% C2 Time", k100nsTimer},
           {"% C3 Time", k100nsTimer},
           {"C1 Transitions/sec", kBulkCount},
           {"C2 Transitions/sec", kBulkCount},
           {"C3 Transitions/sec", kBulkCount}}};
}

ObjectShape system() {
  return {"System",
          kFirstIndex + 400,
          0,
          {{"File Read Operations/sec", kCounterCounter},
           {"File Write Operations/sec", kCounterCounter},
           {"File Control Operations/sec", kCounterCounter},
           {"File Read Bytes/sec", kBulkCount},
           {"File Write Bytes/sec", kBulkCount},
           {"File Control Bytes/sec", kBulkCount},
           {"Context Switches/sec", kCounterCounter},
           {"System Calls/sec", kCounterCounter},
           {"File Data Operations/sec", kCounterCounter},
           {"System Up Time", kElapsedTime, true},
           {"Processor Queue Length", kRawCount},
           {"Processes", kRawCount},
           {"Threads", kRawCount},
           {"Alignment Fixups/sec", kCounterCounter},
           {"Exception Dispatches/sec", kCounterCounter},
           {"Floating Emulations/sec", kCounterCounter},
           {"% Registry Quota In Use", kRawFraction},
           {"% Registry Quota In Use Base", kRawBase, true}}};
}

// Of the types that most counters have.
ObjectShape load(std::uint32_t number, std::size_t instances) {
  constexpr std::uint32_t kCounters = 20;
  constexpr std::uint32_t kIndexes = 2 * (kCounters + 1);
  constexpr std::uint32_t kTypes[] = {kBulkCount, kCounterCounter, k100nsTimer, kLargeRawCount,
                                      kRawCount};
  ObjectShape object{
      "Load " + std::to_string(number), kFirstIndex + number * kIndexes, instances, {}};
  for (std::uint32_t i = 0; i < kCounters; ++i)
    object.counters.push_back({"Value " + std::to_string(i), kTypes[i % std::size(kTypes)]});
  return object;
}

}  // namespace

std::optional<Shape> shape_called(std::string_view name) {
  constexpr std::size_t kProcesses = 300;
  constexpr std::size_t kProcessors = 64;
  constexpr std::uint32_t kLoads = 10;
  if (name == "A") return Shape{process(kProcesses), processor(kProcessors), system()};
  std::size_t instances = 100;
  if (name.starts_with("C:")) {
    const std::string_view number = name.substr(2);
    if (std::from_chars(number.data(), number.data() + number.size(), instances).ec != std::errc())
      return std::nullopt;
  } else if (name != "C") {
    return std::nullopt;
  }
  Shape shape;
  for (std::uint32_t i = 0; i < kLoads; ++i) shape.push_back(load(i, instances));
  return shape;
}

bool is_base(const CounterShape& counter) { return counter.type == kRawBase; }

std::uint64_t values_of(const Shape& shape) {
  std::uint64_t values = 0;
  for (const ObjectShape& object : shape) {
    const auto bases = std::ranges::count_if(object.counters, is_base);
    values += std::max<std::size_t>(object.instances, 1) *
              (object.counters.size() - static_cast<std::size_t>(bases));
  }
  return values;
}

std::uint32_t bytes_of(const CounterShape& counter) {
  constexpr std::uint32_t kSizeMask = 0x300;
  constexpr std::uint32_t kLarge = 0x100;
  return (counter.type & kSizeMask) == kLarge ? 8 : 4;
}

}  // namespace winperf::testing
