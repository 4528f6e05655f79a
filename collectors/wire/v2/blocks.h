// The fields and constants of the PerfLib V2 structures, which mingw-w64's perflib.h doesn't
// declare. The offset of each field counts from the start of its structure. All integers are
// little-endian. A structure begins where the sizes of those before it lead (data_view.h,
// next_block()): for most, but not all, that is a multiple of 8. Source: perflib.h of the Windows
// SDK; Learn, "Perflib.h header"; [MS-PCQ]. tests/collectors/wire/v2/ checks this table against the
// documented structures.
#pragma once

#include <cstddef>
#include <cstdint>

#include "collectors/wire/byte_view.h"

namespace winperf::v2 {

inline constexpr std::size_t kAlignment = 8;

namespace identifier {  // PERF_COUNTER_IDENTIFIER; the instance's name follows
inline constexpr std::size_t kCounterSetGuid = 0;
inline constexpr Field<std::uint32_t> kStatus{16};
inline constexpr Field<std::uint32_t> kSize{20};
inline constexpr Field<std::uint32_t> kCounterId{24};
inline constexpr Field<std::uint32_t> kInstanceId{28};
inline constexpr Field<std::uint32_t> kIndex{32};
inline constexpr std::size_t kBytes = 40;
}  // namespace identifier

namespace data_header {  // PERF_DATA_HEADER
inline constexpr Field<std::uint32_t> kTotalSize{0};
inline constexpr Field<std::uint32_t> kNumCounters{4};
inline constexpr Field<std::int64_t> kPerfTimeStamp{8};
inline constexpr Field<std::int64_t> kPerfTime100NSec{16};
inline constexpr Field<std::int64_t> kPerfFreq{24};
inline constexpr std::size_t kBytes = 48;
}  // namespace data_header

namespace counter_header {  // PERF_COUNTER_HEADER
inline constexpr Field<std::uint32_t> kStatus{0};
inline constexpr Field<std::uint32_t> kType{4};
inline constexpr Field<std::uint32_t> kSize{8};
inline constexpr std::size_t kBytes = 16;
}  // namespace counter_header

namespace multi_counters {  // PERF_MULTI_COUNTERS; the counters' ids follow
inline constexpr Field<std::uint32_t> kSize{0};
inline constexpr Field<std::uint32_t> kCounters{4};
inline constexpr std::size_t kBytes = 8;
}  // namespace multi_counters

namespace multi_instances {  // PERF_MULTI_INSTANCES
inline constexpr Field<std::uint32_t> kTotalSize{0};
inline constexpr Field<std::uint32_t> kInstances{4};
inline constexpr std::size_t kBytes = 8;
}  // namespace multi_instances

namespace instance_header {  // PERF_INSTANCE_HEADER; the name follows
inline constexpr Field<std::uint32_t> kSize{0};
inline constexpr Field<std::uint32_t> kInstanceId{4};
inline constexpr std::size_t kBytes = 8;
}  // namespace instance_header

namespace counter_data {  // PERF_COUNTER_DATA; the value follows
inline constexpr Field<std::uint32_t> kDataSize{0};
inline constexpr Field<std::uint32_t> kSize{4};
inline constexpr std::size_t kBytes = 8;
}  // namespace counter_data

namespace counterset_info {  // PERF_COUNTERSET_REG_INFO
inline constexpr std::size_t kCounterSetGuid = 0;
inline constexpr Field<std::uint32_t> kDetailLevel{20};
inline constexpr Field<std::uint32_t> kNumCounters{24};
inline constexpr Field<std::uint32_t> kInstanceType{28};
inline constexpr std::size_t kBytes = 32;
}  // namespace counterset_info

namespace counter_info {  // PERF_COUNTER_REG_INFO
inline constexpr Field<std::uint32_t> kCounterId{0};
inline constexpr Field<std::uint32_t> kType{4};
inline constexpr Field<std::uint64_t> kAttrib{8};
inline constexpr Field<std::uint32_t> kDetailLevel{16};
inline constexpr Field<std::int32_t> kDefaultScale{20};
inline constexpr Field<std::uint32_t> kBaseCounterId{24};
inline constexpr Field<std::uint32_t> kPerfTimeId{28};
inline constexpr Field<std::uint32_t> kPerfFreqId{32};
inline constexpr Field<std::uint32_t> kMultiId{36};
inline constexpr Field<std::uint32_t> kAggregateFunc{40};
inline constexpr std::size_t kBytes = 48;
}  // namespace counter_info

namespace string_header {  // PERF_STRING_BUFFER_HEADER
inline constexpr Field<std::uint32_t> kCounters{4};
inline constexpr std::size_t kBytes = 8;
}  // namespace string_header

namespace string_entry {  // PERF_STRING_COUNTER_HEADER
inline constexpr Field<std::uint32_t> kCounterId{0};
inline constexpr Field<std::uint32_t> kOffset{4};
inline constexpr std::size_t kBytes = 8;
}  // namespace string_entry

inline constexpr std::uint32_t kAllCounters = 0xFFFF'FFFF;  // PERF_WILDCARD_COUNTER
inline constexpr std::uint32_t kAnyInstance = 0xFFFF'FFFF;  // no filter by instance id
inline constexpr std::uint32_t kNoCounter = 0xFFFF'FFFF;    // BaseCounterId and the like: none
inline constexpr std::uint32_t kNoString = 0xFFFF'FFFF;     // a counter without a name or help
inline constexpr std::size_t kMaxInstanceName = 1024;       // PERF_MAX_INSTANCE_NAME, characters

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
  kSingle = 0,             // exactly one instance, without a name
  kMultiple = 2,           // any number
  kSingleAggregate = 4,    // any number, which the consumer adds up to one
  kMultipleAggregate = 6,  // any number, and a `_Total` that the consumer adds up
  kSingleAggregateHistory =
      12  // like kSingleAggregate; last values of vanished instances count too
};

// The same as flags, which also cover unlisted values.
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
inline constexpr std::uint64_t kAttribNotDisplayed = 2;

constexpr std::size_t aligned(std::size_t size) {
  return (size + kAlignment - 1) / kAlignment * kAlignment;
}

}  // namespace winperf::v2
