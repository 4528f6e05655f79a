// Sizes and constants of the PerfLib V2 structures, which mingw-w64's perflib.h does not declare.
// All integers are little-endian. Where a structure begins is said by the sizes of those before it
// (next_block.h): that is a multiple of 8 for most, not for all.
// Source: perflib.h of the Windows SDK; Learn, "Perflib.h header"; [MS-PCQ].
#pragma once

#include <cstddef>
#include <cstdint>

namespace winperf::v2 {

inline constexpr std::size_t kAlignment = 8;
inline constexpr std::size_t kIdentifierBytes = 40;      // PERF_COUNTER_IDENTIFIER
inline constexpr std::size_t kDataHeaderBytes = 48;      // PERF_DATA_HEADER
inline constexpr std::size_t kCounterHeaderBytes = 16;   // PERF_COUNTER_HEADER
inline constexpr std::size_t kMultiCountersBytes = 8;    // PERF_MULTI_COUNTERS
inline constexpr std::size_t kMultiInstancesBytes = 8;   // PERF_MULTI_INSTANCES
inline constexpr std::size_t kInstanceHeaderBytes = 8;   // PERF_INSTANCE_HEADER
inline constexpr std::size_t kCounterDataBytes = 8;      // PERF_COUNTER_DATA
inline constexpr std::size_t kCountersetInfoBytes = 32;  // PERF_COUNTERSET_REG_INFO
inline constexpr std::size_t kCounterInfoBytes = 48;     // PERF_COUNTER_REG_INFO
inline constexpr std::size_t kStringHeaderBytes = 8;     // PERF_STRING_BUFFER_HEADER
inline constexpr std::size_t kStringEntryBytes = 8;      // PERF_STRING_COUNTER_HEADER

inline constexpr std::uint32_t kAllCounters = 0xFFFF'FFFF;  // PERF_WILDCARD_COUNTER
inline constexpr std::uint32_t kAnyInstance = 0xFFFF'FFFF;  // no filter by instance id
inline constexpr std::uint32_t kNoCounter = 0xFFFF'FFFF;    // BaseCounterId and its like: none
inline constexpr std::uint32_t kNoString = 0xFFFF'FFFF;     // a counter without a name or help
inline constexpr std::size_t kLongestInstanceName = 1024;   // PERF_MAX_INSTANCE_NAME, characters

// PERF_COUNTER_HEADER.dwType.
enum class ResultKind : std::uint32_t {
  kError = 0,              // PERF_ERROR_RETURN
  kSingleCounter = 1,      // PERF_SINGLE_COUNTER
  kMultipleCounters = 2,   // PERF_MULTIPLE_COUNTERS
  kMultipleInstances = 4,  // PERF_MULTIPLE_INSTANCES
  kCounterset = 6,         // PERF_COUNTERSET
};

constexpr bool is_known(ResultKind kind) {
  switch (kind) {
    case ResultKind::kError:
    case ResultKind::kSingleCounter:
    case ResultKind::kMultipleCounters:
    case ResultKind::kMultipleInstances:
    case ResultKind::kCounterset:
      return true;
  }
  return false;
}
// Which parts a table of that kind has.
constexpr bool has_counter_ids(ResultKind kind) {
  return kind == ResultKind::kMultipleCounters || kind == ResultKind::kCounterset;
}
constexpr bool has_instances(ResultKind kind) {
  return kind == ResultKind::kMultipleInstances || kind == ResultKind::kCounterset;
}

// PERF_COUNTERSET_REG_INFO.InstanceType.
enum class InstanceType : std::uint32_t {
  kSingle = 0,                  // exactly one instance, without a name
  kMultiple = 2,                // many
  kSingleAggregate = 4,         // many that the consumer adds up to one
  kMultipleAggregate = 6,       // many, and a `_Total` that the consumer adds up
  kSingleAggregateHistory = 12  // as kSingleAggregate, and the last values of vanished ones count
};

// The same as flags, which also tell what a value that is not in the list means.
constexpr bool shows_instances(InstanceType type) {
  return (static_cast<std::uint32_t>(type) & 2) != 0;
}
constexpr bool adds_instances_up(InstanceType type) {
  return (static_cast<std::uint32_t>(type) & 4) != 0;
}
constexpr bool remembers_vanished(InstanceType type) {
  return (static_cast<std::uint32_t>(type) & 8) != 0;
}

// PERF_COUNTER_REG_INFO.AggregateFunc: how the consumer adds instances up.
enum class Aggregation : std::uint32_t { kUndefined, kTotal, kAverage, kMinimum, kMaximum };

// PERF_COUNTER_REG_INFO.Attrib.
inline constexpr std::uint64_t kAttribByReference = 1;
inline constexpr std::uint64_t kAttribNotDisplayed = 2;

constexpr std::size_t aligned(std::size_t size) {
  return (size + kAlignment - 1) / kAlignment * kAlignment;
}

}  // namespace winperf::v2
