// Samples for tests, built by hand.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "collectors/model/sample.h"

namespace winperf::testing {

inline constexpr std::uint32_t kRawCount = 0x00010000;
inline constexpr std::uint32_t kLargeRawCount = 0x00010100;
inline constexpr std::uint32_t kDoubleRaw = 0x00012000;
inline constexpr std::uint32_t kCounterCounter = 0x10410400;
inline constexpr std::uint32_t kBulkCount = 0x10410500;
inline constexpr std::uint32_t kRawFraction = 0x20020400;
inline constexpr std::uint32_t kPrecision100ns = 0x20570500;
inline constexpr std::uint32_t kSampleFraction = 0x20C20400;
inline constexpr std::uint32_t kTimer = 0x20410500;
inline constexpr std::uint32_t k100nsTimer = 0x20510500;
inline constexpr std::uint32_t k100nsTimerInverse = 0x21510500;
inline constexpr std::uint32_t k100nsMultiTimer = 0x22510500;
inline constexpr std::uint32_t kQueueLength = 0x00550500;
inline constexpr std::uint32_t kDelta = 0x00400400;
inline constexpr std::uint32_t kAverageTimer = 0x30020400;
inline constexpr std::uint32_t kAverageBulk = 0x40020500;
inline constexpr std::uint32_t kElapsedTime = 0x30240500;
inline constexpr std::uint32_t kText = 0x00000B00;

// Every type with a metric.
std::vector<std::uint32_t> metric_types();

CounterSchema counter(std::string name, std::uint32_t type, std::uint32_t index = 6);

CountersetSchema object(std::string name, std::vector<CounterSchema> counters,
                        bool multi_instance = false, std::uint32_t index = 238);

InstanceSchema instance(std::string name, std::uint32_t ordinal, std::uint32_t duplicate = 0);

// All arrays filled with 0 and NoValue::kNone.
CountersetSample values(CountersetSchema schema, std::vector<InstanceSchema> instances = {});

CountersetState state(std::string name, CountersetSample sample);

// A good sample of one counterset, taken at kSampledAt, which is kTaken on the other clock.
std::shared_ptr<Sample> sample(std::uint64_t sequence, std::vector<CountersetState> states);

// 2007-08-14T15:41:38.6148066Z
inline constexpr Ticks100ns kSampledAt{128315796986148066};
inline constexpr SteadyTime kTaken{std::chrono::hours(1)};

// Processor with two instances and _Total, and Memory.
std::shared_ptr<Sample> typical_sample(std::uint64_t sequence);

}  // namespace winperf::testing
