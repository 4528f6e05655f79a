// What the system knows about this process. Implemented in exporter/text/win and posix; CMake
// chooses one. Thread rule: any thread. Source: Learn, GetProcessTimes, GetProcessMemoryInfo,
// GetProcessHandleCount; proc(5).
#pragma once

#include <optional>

namespace winperf {

// A member is empty if the system doesn't tell.
struct ProcessFacts {
  std::optional<double> cpu_seconds{};      // in user and kernel mode, of all threads
  std::optional<double> resident_bytes{};   // in physical memory
  std::optional<double> committed_bytes{};  // Windows' private bytes; elsewhere the address space
  std::optional<double> open_handles{};     // elsewhere file descriptors
};

ProcessFacts process_facts();

}  // namespace winperf
