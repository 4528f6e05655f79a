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

// A sample of the one row of an object without instances.
inline std::shared_ptr<CountersetSample> single(const std::vector<Column>& columns,
                                                std::vector<std::uint64_t> values,
                                                std::int64_t second,
                                                std::vector<std::uint64_t> bases = {}) {
  auto sample = make_raw_sample(schema_of(columns, false), instances_named({}), at_second(second));
  sample->raw = std::move(values);
  bases.resize(columns.size());
  sample->base = std::move(bases);
  return sample;
}

}  // namespace winperf::testing
