#include "exporter/text/exporter_registry.h"

#include <windows.h>
// After windows.h:
#include <psapi.h>

#include "collectors/base/win/file_time.h"

namespace winperf {
namespace {

double seconds(const FILETIME& time) { return static_cast<double>(ticks_of(time)) / 1e7; }

}  // namespace

ProcessFacts process_facts() {
  const HANDLE self = GetCurrentProcess();
  ProcessFacts facts;
  FILETIME created{};
  FILETIME ended{};
  FILETIME kernel{};
  FILETIME user{};
  if (GetProcessTimes(self, &created, &ended, &kernel, &user))
    facts.cpu_seconds = seconds(kernel) + seconds(user);
  PROCESS_MEMORY_COUNTERS memory{};
  if (K32GetProcessMemoryInfo(self, &memory, sizeof memory)) {
    facts.resident_bytes = static_cast<double>(memory.WorkingSetSize);
    facts.committed_bytes = static_cast<double>(memory.PagefileUsage);
  }
  DWORD handles = 0;
  // Wine doesn't count them, and returns 0.
  if (GetProcessHandleCount(self, &handles) && handles > 0) facts.open_handles = handles;
  return facts;
}

std::optional<std::uint64_t> machine_memory() {
  MEMORYSTATUSEX status{};
  status.dwLength = sizeof status;
  if (!GlobalMemoryStatusEx(&status)) return std::nullopt;
  return status.ullTotalPhys;
}

}  // namespace winperf
