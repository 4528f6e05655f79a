#include <windows.h>

#include "collectors/facts/refusals.h"
#include "collectors/facts/win/topics.h"

namespace winperf {

FactAnswer read_memory() {
  MEMORYSTATUSEX status{};
  status.dwLength = sizeof status;
  if (!GlobalMemoryStatusEx(&status)) return os_failure(GetLastError(), "memory");
  FactTable table;
  table.add()
      .number("physical_total", static_cast<double>(status.ullTotalPhys))
      .number("physical_free", static_cast<double>(status.ullAvailPhys))
      .number("process_limit", static_cast<double>(status.ullTotalVirtual))
      .number("commit_limit", static_cast<double>(status.ullTotalPageFile))
      .number("commit_free", static_cast<double>(status.ullAvailPageFile));
  return table;
}

}  // namespace winperf
