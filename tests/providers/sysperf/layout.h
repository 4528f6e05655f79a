// What sysperf publishes: the counter block of each object as a structure, and the table of its
// counters.
//
// A block is copied into the reply unchanged. So its fields are at the offsets in the counter
// definitions, 64-bit values are aligned to 8 bytes, every byte belongs to a field (padding would
// contain stale memory), and its size is a multiple of 8. Names, order, types and default scales
// are those of Windows' own objects. Source: winperf.h; Learn, "PERF_COUNTER_DEFINITION structure".
#pragma once

#include <windows.h>
#include <winperf.h>

#include <cstddef>
#include <span>

#include "tests/providers/sysperf/sysperf_counters.h"

namespace sysperf {

struct SystemBlock {
  PERF_COUNTER_BLOCK block;
  DWORD processes;
  LONGLONG started;  // a point in time; PERF_ELAPSED_TIME is the object's clock minus this
  DWORD threads;
  DWORD unused;
};

struct ProcessorBlock {
  PERF_COUNTER_BLOCK block;
  DWORD unused;
  LONGLONG idle;  // published twice: as % Idle Time, and inverted as % Processor Time
  LONGLONG user;
  LONGLONG privileged;
};

struct MemoryBlock {
  PERF_COUNTER_BLOCK block;
  DWORD unused;
  ULONGLONG available_bytes;
  ULONGLONG committed_bytes;
  ULONGLONG commit_limit;
  DWORD committed_pages;  // the fraction ...
  DWORD limit_pages;      // ... and its base
  ULONGLONG available_kbytes;
  ULONGLONG available_mbytes;
};

struct ProcessBlock {
  PERF_COUNTER_BLOCK block;
  DWORD thread_count;
  LONGLONG processor;
  LONGLONG user;
  LONGLONG privileged;
  ULONGLONG virtual_bytes_peak;
  ULONGLONG virtual_bytes;
  ULONGLONG working_set_peak;
  ULONGLONG working_set;
  ULONGLONG committed;  // published twice: as Page File Bytes and Private Bytes
  LONGLONG started;
  DWORD id;
  DWORD parent_id;
  DWORD handle_count;
  DWORD unused;
};

static_assert(sizeof(SystemBlock) == 24 && sizeof(ProcessorBlock) == 32);
static_assert(sizeof(MemoryBlock) == 56 && sizeof(ProcessBlock) == 96);

struct CounterSpec {
  DWORD symbol;  // offset of its name from First Counter, and of its help from First Help
  DWORD type;
  DWORD size;
  DWORD offset;
  LONG default_scale;
  DWORD detail;
};

struct ObjectSpec {
  DWORD symbol;
  bool multiple;  // has named instances
  LONG default_counter;
  std::span<const CounterSpec> counters;
};

// A counter whose raw value is the member `field` of `Block`.
#define SYSPERF_COUNTER(symbol, type, Block, field, scale, detail) \
  CounterSpec { symbol, type, sizeof(Block::field), offsetof(Block, field), scale, detail }

inline constexpr CounterSpec kSystemCounters[] = {
    SYSPERF_COUNTER(SYSPERF_SYSTEM_UP_TIME, PERF_ELAPSED_TIME, SystemBlock, started, -5,
                    PERF_DETAIL_NOVICE),
    SYSPERF_COUNTER(SYSPERF_PROCESSES, PERF_COUNTER_RAWCOUNT, SystemBlock, processes, 1,
                    PERF_DETAIL_WIZARD),
    SYSPERF_COUNTER(SYSPERF_THREADS, PERF_COUNTER_RAWCOUNT, SystemBlock, threads, 1,
                    PERF_DETAIL_WIZARD),
};

inline constexpr CounterSpec kProcessorCounters[] = {
    SYSPERF_COUNTER(SYSPERF_PROCESSOR_TIME, PERF_100NSEC_TIMER_INV, ProcessorBlock, idle, 0,
                    PERF_DETAIL_NOVICE),
    SYSPERF_COUNTER(SYSPERF_USER_TIME, PERF_100NSEC_TIMER, ProcessorBlock, user, 0,
                    PERF_DETAIL_ADVANCED),
    SYSPERF_COUNTER(SYSPERF_PRIVILEGED_TIME, PERF_100NSEC_TIMER, ProcessorBlock, privileged, 0,
                    PERF_DETAIL_ADVANCED),
    SYSPERF_COUNTER(SYSPERF_IDLE_TIME, PERF_100NSEC_TIMER, ProcessorBlock, idle, 0,
                    PERF_DETAIL_WIZARD),
};

// A base directly follows the counter that it divides, and has the same index.
inline constexpr CounterSpec kMemoryCounters[] = {
    SYSPERF_COUNTER(SYSPERF_AVAILABLE_BYTES, PERF_COUNTER_LARGE_RAWCOUNT, MemoryBlock,
                    available_bytes, -6, PERF_DETAIL_EXPERT),
    SYSPERF_COUNTER(SYSPERF_COMMITTED_BYTES, PERF_COUNTER_LARGE_RAWCOUNT, MemoryBlock,
                    committed_bytes, -6, PERF_DETAIL_EXPERT),
    SYSPERF_COUNTER(SYSPERF_COMMIT_LIMIT, PERF_COUNTER_LARGE_RAWCOUNT, MemoryBlock, commit_limit,
                    -6, PERF_DETAIL_WIZARD),
    SYSPERF_COUNTER(SYSPERF_COMMITTED_IN_USE, PERF_RAW_FRACTION, MemoryBlock, committed_pages, 0,
                    PERF_DETAIL_EXPERT),
    SYSPERF_COUNTER(SYSPERF_COMMITTED_IN_USE, PERF_RAW_BASE, MemoryBlock, limit_pages, 0,
                    PERF_DETAIL_EXPERT),
    SYSPERF_COUNTER(SYSPERF_AVAILABLE_KBYTES, PERF_COUNTER_LARGE_RAWCOUNT, MemoryBlock,
                    available_kbytes, 0, PERF_DETAIL_EXPERT),
    SYSPERF_COUNTER(SYSPERF_AVAILABLE_MBYTES, PERF_COUNTER_LARGE_RAWCOUNT, MemoryBlock,
                    available_mbytes, 0, PERF_DETAIL_EXPERT),
};

inline constexpr CounterSpec kProcessCounters[] = {
    SYSPERF_COUNTER(SYSPERF_PROCESSOR_TIME, PERF_100NSEC_TIMER, ProcessBlock, processor, 0,
                    PERF_DETAIL_NOVICE),
    SYSPERF_COUNTER(SYSPERF_USER_TIME, PERF_100NSEC_TIMER, ProcessBlock, user, 0,
                    PERF_DETAIL_ADVANCED),
    SYSPERF_COUNTER(SYSPERF_PRIVILEGED_TIME, PERF_100NSEC_TIMER, ProcessBlock, privileged, 0,
                    PERF_DETAIL_ADVANCED),
    SYSPERF_COUNTER(SYSPERF_VIRTUAL_BYTES_PEAK, PERF_COUNTER_LARGE_RAWCOUNT, ProcessBlock,
                    virtual_bytes_peak, -6, PERF_DETAIL_EXPERT),
    SYSPERF_COUNTER(SYSPERF_VIRTUAL_BYTES, PERF_COUNTER_LARGE_RAWCOUNT, ProcessBlock, virtual_bytes,
                    -6, PERF_DETAIL_EXPERT),
    SYSPERF_COUNTER(SYSPERF_WORKING_SET_PEAK, PERF_COUNTER_LARGE_RAWCOUNT, ProcessBlock,
                    working_set_peak, -5, PERF_DETAIL_ADVANCED),
    SYSPERF_COUNTER(SYSPERF_WORKING_SET, PERF_COUNTER_LARGE_RAWCOUNT, ProcessBlock, working_set, -5,
                    PERF_DETAIL_NOVICE),
    SYSPERF_COUNTER(SYSPERF_PAGE_FILE_BYTES, PERF_COUNTER_LARGE_RAWCOUNT, ProcessBlock, committed,
                    -6, PERF_DETAIL_ADVANCED),
    SYSPERF_COUNTER(SYSPERF_PRIVATE_BYTES, PERF_COUNTER_LARGE_RAWCOUNT, ProcessBlock, committed, -5,
                    PERF_DETAIL_ADVANCED),
    SYSPERF_COUNTER(SYSPERF_THREAD_COUNT, PERF_COUNTER_RAWCOUNT, ProcessBlock, thread_count, 0,
                    PERF_DETAIL_ADVANCED),
    SYSPERF_COUNTER(SYSPERF_ELAPSED_TIME, PERF_ELAPSED_TIME, ProcessBlock, started, -4,
                    PERF_DETAIL_ADVANCED),
    SYSPERF_COUNTER(SYSPERF_ID_PROCESS, PERF_COUNTER_RAWCOUNT, ProcessBlock, id, -1,
                    PERF_DETAIL_NOVICE),
    SYSPERF_COUNTER(SYSPERF_CREATING_PROCESS_ID, PERF_COUNTER_RAWCOUNT, ProcessBlock, parent_id, -1,
                    PERF_DETAIL_NOVICE),
    SYSPERF_COUNTER(SYSPERF_HANDLE_COUNT, PERF_COUNTER_RAWCOUNT, ProcessBlock, handle_count, 0,
                    PERF_DETAIL_ADVANCED),
};

#undef SYSPERF_COUNTER

inline constexpr ObjectSpec kSystem{SYSPERF_SYSTEM, false, 0, kSystemCounters};
inline constexpr ObjectSpec kProcessor{SYSPERF_PROCESSOR, true, 0, kProcessorCounters};
inline constexpr ObjectSpec kMemory{SYSPERF_MEMORY, false, 0, kMemoryCounters};
inline constexpr ObjectSpec kProcess{SYSPERF_PROCESS, true, 0, kProcessCounters};

}  // namespace sysperf
