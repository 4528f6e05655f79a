// What the system says of this process. Implemented in exporter/text/win and posix, chosen by
// CMake. Thread rule: any thread. Source: Learn, GetProcessTimes, GetProcessMemoryInfo,
// GetProcessHandleCount; proc(5).
#pragma once

#include <optional>

namespace winperf {

// Nothing where the system does not say it.
struct ProcessFacts {
  std::optional<double> cpu_seconds{};      // in user and kernel mode, of all threads
  std::optional<double> resident_bytes{};   // in physical memory
  std::optional<double> committed_bytes{};  // Windows' private bytes; elsewhere the address space
  std::optional<double> open_handles{};     // elsewhere file descriptors
};

ProcessFacts process_facts();

}  // namespace winperf
