// Linux' data on a process in its folder, /proc/PID or /proc/self. These files and the attributes
// of folders cost a few microseconds; /proc/PID/status costs ten times as much, and counting a
// thousand open files a millisecond. Thread rule: any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace winperf {

struct ProcMemory {            // in bytes
  std::uint64_t all = 0;       // of its addresses
  std::uint64_t resident = 0;  // in memory
  std::uint64_t shared = 0;    // of `resident`: with files or other processes
};

// Nothing if there is no such process.
[[nodiscard]] std::optional<ProcMemory> proc_memory(const std::string& process);
[[nodiscard]] std::optional<std::uint64_t> proc_open_files(const std::string& process);
[[nodiscard]] std::optional<std::uint64_t> proc_threads(const std::string& process);

}  // namespace winperf
