// The structures of PerfLib's consumer functions as the documentation declares them, written out
// field by field: DWORD and ULONG as uint32_t, LONGLONG as int64_t, GUID and SYSTEMTIME as the 16
// bytes that they are. The readers do not use them, so a field that the readers take from another
// place does not agree with them. mingw-w64's perflib.h declares none of them.
// Source: Learn, "Perflib.h header"; perflib.h of the Windows SDK; [MS-PCQ] 2.2.4.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace winperf::testing::documented {

using Bytes16 = std::array<std::uint8_t, 16>;

struct PERF_COUNTER_IDENTIFIER {
  Bytes16 CounterSetGuid;
  std::uint32_t Status;
  std::uint32_t Size;
  std::uint32_t CounterId;
  std::uint32_t InstanceId;
  std::uint32_t Index;
  std::uint32_t Reserved;
};
static_assert(offsetof(PERF_COUNTER_IDENTIFIER, CounterSetGuid) == 0);
static_assert(offsetof(PERF_COUNTER_IDENTIFIER, Status) == 16);
static_assert(offsetof(PERF_COUNTER_IDENTIFIER, Size) == 20);
static_assert(offsetof(PERF_COUNTER_IDENTIFIER, CounterId) == 24);
static_assert(offsetof(PERF_COUNTER_IDENTIFIER, InstanceId) == 28);
static_assert(offsetof(PERF_COUNTER_IDENTIFIER, Index) == 32);
static_assert(offsetof(PERF_COUNTER_IDENTIFIER, Reserved) == 36);
static_assert(sizeof(PERF_COUNTER_IDENTIFIER) == 40);

struct PERF_DATA_HEADER {
  std::uint32_t dwTotalSize;
  std::uint32_t dwNumCounters;
  std::int64_t PerfTimeStamp;
  std::int64_t PerfTime100NSec;
  std::int64_t PerfFreq;
  Bytes16 SystemTime;
};
static_assert(offsetof(PERF_DATA_HEADER, dwTotalSize) == 0);
static_assert(offsetof(PERF_DATA_HEADER, dwNumCounters) == 4);
static_assert(offsetof(PERF_DATA_HEADER, PerfTimeStamp) == 8);
static_assert(offsetof(PERF_DATA_HEADER, PerfTime100NSec) == 16);
static_assert(offsetof(PERF_DATA_HEADER, PerfFreq) == 24);
static_assert(offsetof(PERF_DATA_HEADER, SystemTime) == 32);
static_assert(sizeof(PERF_DATA_HEADER) == 48);

struct PERF_COUNTER_HEADER {
  std::uint32_t dwStatus;
  std::uint32_t dwType;
  std::uint32_t dwSize;
  std::uint32_t Reserved;
};
static_assert(offsetof(PERF_COUNTER_HEADER, dwStatus) == 0);
static_assert(offsetof(PERF_COUNTER_HEADER, dwType) == 4);
static_assert(offsetof(PERF_COUNTER_HEADER, dwSize) == 8);
static_assert(offsetof(PERF_COUNTER_HEADER, Reserved) == 12);
static_assert(sizeof(PERF_COUNTER_HEADER) == 16);

struct PERF_MULTI_COUNTERS {
  std::uint32_t dwSize;
  std::uint32_t dwCounters;
};
static_assert(offsetof(PERF_MULTI_COUNTERS, dwSize) == 0);
static_assert(offsetof(PERF_MULTI_COUNTERS, dwCounters) == 4);
static_assert(sizeof(PERF_MULTI_COUNTERS) == 8);

struct PERF_MULTI_INSTANCES {
  std::uint32_t dwTotalSize;
  std::uint32_t dwInstances;
};
static_assert(offsetof(PERF_MULTI_INSTANCES, dwTotalSize) == 0);
static_assert(offsetof(PERF_MULTI_INSTANCES, dwInstances) == 4);
static_assert(sizeof(PERF_MULTI_INSTANCES) == 8);

struct PERF_INSTANCE_HEADER {
  std::uint32_t Size;
  std::uint32_t InstanceId;
};
static_assert(offsetof(PERF_INSTANCE_HEADER, Size) == 0);
static_assert(offsetof(PERF_INSTANCE_HEADER, InstanceId) == 4);
static_assert(sizeof(PERF_INSTANCE_HEADER) == 8);

struct PERF_COUNTER_DATA {
  std::uint32_t dwDataSize;
  std::uint32_t dwSize;
};
static_assert(offsetof(PERF_COUNTER_DATA, dwDataSize) == 0);
static_assert(offsetof(PERF_COUNTER_DATA, dwSize) == 4);
static_assert(sizeof(PERF_COUNTER_DATA) == 8);

struct PERF_COUNTERSET_REG_INFO {
  Bytes16 CounterSetGuid;
  std::uint32_t CounterSetType;
  std::uint32_t DetailLevel;
  std::uint32_t NumCounters;
  std::uint32_t InstanceType;
};
static_assert(offsetof(PERF_COUNTERSET_REG_INFO, CounterSetGuid) == 0);
static_assert(offsetof(PERF_COUNTERSET_REG_INFO, CounterSetType) == 16);
static_assert(offsetof(PERF_COUNTERSET_REG_INFO, DetailLevel) == 20);
static_assert(offsetof(PERF_COUNTERSET_REG_INFO, NumCounters) == 24);
static_assert(offsetof(PERF_COUNTERSET_REG_INFO, InstanceType) == 28);
static_assert(sizeof(PERF_COUNTERSET_REG_INFO) == 32);

struct PERF_COUNTER_REG_INFO {
  std::uint32_t CounterId;
  std::uint32_t Type;
  std::uint64_t Attrib;
  std::uint32_t DetailLevel;
  std::int32_t DefaultScale;
  std::uint32_t BaseCounterId;
  std::uint32_t PerfTimeId;
  std::uint32_t PerfFreqId;
  std::uint32_t MultiId;
  std::uint32_t AggregateFunc;
  std::uint32_t Reserved;
};
static_assert(offsetof(PERF_COUNTER_REG_INFO, CounterId) == 0);
static_assert(offsetof(PERF_COUNTER_REG_INFO, Type) == 4);
static_assert(offsetof(PERF_COUNTER_REG_INFO, Attrib) == 8);
static_assert(offsetof(PERF_COUNTER_REG_INFO, DetailLevel) == 16);
static_assert(offsetof(PERF_COUNTER_REG_INFO, DefaultScale) == 20);
static_assert(offsetof(PERF_COUNTER_REG_INFO, BaseCounterId) == 24);
static_assert(offsetof(PERF_COUNTER_REG_INFO, PerfTimeId) == 28);
static_assert(offsetof(PERF_COUNTER_REG_INFO, PerfFreqId) == 32);
static_assert(offsetof(PERF_COUNTER_REG_INFO, MultiId) == 36);
static_assert(offsetof(PERF_COUNTER_REG_INFO, AggregateFunc) == 40);
static_assert(offsetof(PERF_COUNTER_REG_INFO, Reserved) == 44);
static_assert(sizeof(PERF_COUNTER_REG_INFO) == 48);

struct PERF_STRING_BUFFER_HEADER {
  std::uint32_t dwSize;
  std::uint32_t dwCounters;
};
static_assert(offsetof(PERF_STRING_BUFFER_HEADER, dwSize) == 0);
static_assert(offsetof(PERF_STRING_BUFFER_HEADER, dwCounters) == 4);
static_assert(sizeof(PERF_STRING_BUFFER_HEADER) == 8);

struct PERF_STRING_COUNTER_HEADER {
  std::uint32_t dwCounterId;
  std::uint32_t dwOffset;
};
static_assert(offsetof(PERF_STRING_COUNTER_HEADER, dwCounterId) == 0);
static_assert(offsetof(PERF_STRING_COUNTER_HEADER, dwOffset) == 4);
static_assert(sizeof(PERF_STRING_COUNTER_HEADER) == 8);

}  // namespace winperf::testing::documented
