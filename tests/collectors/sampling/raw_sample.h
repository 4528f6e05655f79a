// Raw samples as a tracker hands them to SampleChain, or a log to LoggedTracker.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "collectors/sampling/sample_chain.h"

namespace winperf::testing {

inline constexpr CounterType kGauge{0x00010000};      // PERF_COUNTER_RAWCOUNT
inline constexpr CounterType kRate{0x10410400};       // PERF_COUNTER_COUNTER
inline constexpr CounterType kLargeRate{0x10410500};  // PERF_COUNTER_BULK_COUNT
inline constexpr CounterType kFraction{0x20020400};   // PERF_RAW_FRACTION
inline constexpr CounterType kAverage{0x40020500};    // PERF_AVERAGE_BULK
inline constexpr CounterType kElapsed{0x30240500};    // PERF_ELAPSED_TIME

struct Column {
  std::uint32_t index = 0;
  CounterType type = kGauge;
  std::uint32_t size = 4;
  std::optional<std::uint32_t> base_size{};
  std::string name{};
};

inline std::shared_ptr<const CountersetSchema> schema_of(const std::vector<Column>& columns,
                                                         bool multi_instance) {
  auto schema = std::make_shared<CountersetSchema>();
  schema->multi_instance = multi_instance;
  for (const Column& column : columns) {
    CounterSchema& counter = schema->counters.emplace_back();
    counter.index = CounterIndex{column.index};
    counter.name = column.name;
    counter.type = column.type;
    counter.size = column.size;
    counter.has_base = column.base_size.has_value();
    counter.base_size = column.base_size.value_or(0);
  }
  return schema;
}

inline std::shared_ptr<const InstanceSet> instances_named(const std::vector<std::string>& names) {
  auto set = std::make_shared<InstanceSet>();
  for (const std::string& name : names) set->instances.emplace_back().name = name;
  return set;
}

// `second`: when it was taken, on clocks of 1,000 ticks a second and 100 ns.
inline Clocks at_second(std::int64_t second) {
  return {.perf_time = {second * 1'000},
          .perf_frequency = {1'000},
          .time_100ns = {second * 10'000'000},
          .object_time = {second * 10},
          .object_frequency = {10}};
}

inline std::shared_ptr<CountersetSample> make_raw_sample(
    std::shared_ptr<const CountersetSchema> schema, std::shared_ptr<const InstanceSet> instances,
    const Clocks& clocks) {
  auto sample = std::make_shared<CountersetSample>();
  auto layout = layout_of(*schema);
  prepare(*sample, std::move(schema), std::move(layout), std::move(instances), clocks);
  return sample;
}

// Of each cell.
inline std::vector<std::uint64_t> totals_of(const CountersetSample& sample) {
  std::vector<std::uint64_t> totals;
  for (std::size_t cell = 0; cell < sample.raw.size(); ++cell)
    totals.push_back(sample.total_at(cell));
  return totals;
}

// A sample of the one row of an object without instances.
inline std::shared_ptr<CountersetSample> single(const std::vector<Column>& columns,
                                                std::vector<std::uint64_t> values,
                                                std::int64_t second,
                                                std::vector<std::uint64_t> bases = {}) {
  auto sample = make_raw_sample(schema_of(columns, false), instances_named({}), at_second(second));
  sample->raw = std::move(values);
  for (std::size_t column = 0; column < bases.size(); ++column)
    for (std::uint64_t& base : sample->more_column(sample->layout->columns[column].base))
      base = bases[column];
  return sample;
}

}  // namespace winperf::testing
