// What another process has in use, from /proc. Thread rule: any thread.
#pragma once

#include <sys/types.h>

#include "collectors/worker/worker_process.h"

namespace winperf::worker {

[[nodiscard]] ProcessUse process_use(pid_t process);

}  // namespace winperf::worker
