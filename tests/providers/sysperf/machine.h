// This machine's numbers, from Win32 and from NtQuerySystemInformation.
//
// Durations are in units of 100 ns, points in time are FILETIMEs (100 ns since 1601, UTC), and
// sizes are bytes. If a call fails, its Win32 error takes the place of the number, never a zero.
// Only numbers that Wine supplies are used; docs/wine.md lists those that it doesn't. Thread rule:
// any thread. Source: Learn, NtQuerySystemInformation, GetPerformanceInfo,
// PROCESS_MEMORY_COUNTERS_EX.
#pragma once

#include <windows.h>

#include <expected>
#include <string>
#include <vector>

namespace sysperf {

struct SystemNumbers {
  LONGLONG started;
  DWORD processes;
  DWORD threads;
};

struct ProcessorNumbers {
  LONGLONG idle;
  LONGLONG user;
  LONGLONG privileged;
};

struct MemoryNumbers {
  ULONGLONG available_bytes;
  ULONGLONG committed_bytes;
  ULONGLONG commit_limit;
  ULONGLONG page_bytes;
};

struct ProcessNumbers {
  std::wstring name;  // of the executable, without ".exe"
  DWORD id;
  DWORD parent_id;
  DWORD threads;
  DWORD handles;
  LONGLONG started;
  LONGLONG user;
  LONGLONG privileged;
  ULONGLONG virtual_bytes;
  ULONGLONG virtual_bytes_peak;
  ULONGLONG working_set;
  ULONGLONG working_set_peak;
  ULONGLONG committed;
};

LONGLONG now_100ns();
std::expected<SystemNumbers, DWORD> system_numbers();
std::expected<MemoryNumbers, DWORD> memory_numbers();

// One element per logical processor of the calling thread's processor group, by number.
std::expected<std::vector<ProcessorNumbers>, DWORD> processors();

// In the system's order, after the Idle process. Wine doesn't list that process; its processor time
// is the processors' idle time.
std::expected<std::vector<ProcessNumbers>, DWORD> processes();

}  // namespace sysperf
