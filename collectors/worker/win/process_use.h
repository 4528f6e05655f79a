// What another process has in use, from the system's list of processes, because Wine's answers
// about a single process are zeros. Thread rule: any thread.
// Source: Learn, NtQuerySystemInformation, SYSTEM_PROCESS_INFORMATION.
#pragma once

#include <windows.h>

#include "collectors/worker/worker_process.h"

namespace winperf::worker {

[[nodiscard]] ProcessUse process_use(DWORD process);

}  // namespace winperf::worker
