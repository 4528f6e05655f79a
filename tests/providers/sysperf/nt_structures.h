// The structures that NtQuerySystemInformation fills, with names for the fields that winternl.h
// calls "Reserved". The layout is that of 64-bit Windows; the assertions below reject any other.
// The test sysperf_test.cc compares the fields in use with documented Win32 calls.
#pragma once

#include <windows.h>
// winternl.h requires the types above.
#include <winternl.h>

#include <cstddef>

namespace sysperf {

struct ProcessorTimes {  // SystemProcessorPerformanceInformation: an array of them
  LONGLONG idle;
  LONGLONG kernel;  // includes the idle time
  LONGLONG user;
  LONGLONG dpc;
  LONGLONG interrupt;
  ULONG interrupts;
  ULONG unused;
};
static_assert(sizeof(ProcessorTimes) == 48);

struct ProcessEntry {  // SystemProcessInformation: a list of them; threads and name follow each
  ULONG next_offset;   // from the start of this entry; 0 in the last one
  ULONG threads;
  LONGLONG working_set_private;
  ULONG hard_faults;
  ULONG threads_high_water_mark;
  ULONGLONG cycles;
  LONGLONG created;
  LONGLONG user;
  LONGLONG kernel;
  UNICODE_STRING name;
  LONG base_priority;
  HANDLE id;
  HANDLE parent_id;
  ULONG handles;
  ULONG session;
  ULONG_PTR unique_key;
  SIZE_T virtual_bytes_peak;
  SIZE_T virtual_bytes;
  ULONG page_faults;
  SIZE_T working_set_peak;
  SIZE_T working_set;
  SIZE_T paged_pool_peak;
  SIZE_T paged_pool;
  SIZE_T nonpaged_pool_peak;
  SIZE_T nonpaged_pool;
  SIZE_T page_file_bytes;
  SIZE_T page_file_bytes_peak;
  SIZE_T private_bytes;
};
static_assert(offsetof(ProcessEntry, created) == 0x20);
static_assert(offsetof(ProcessEntry, name) == 0x38);
static_assert(offsetof(ProcessEntry, id) == 0x50);
static_assert(offsetof(ProcessEntry, virtual_bytes_peak) == 0x70);
static_assert(offsetof(ProcessEntry, private_bytes) == 0xC8);

}  // namespace sysperf
