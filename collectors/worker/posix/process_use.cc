#include "collectors/worker/posix/process_use.h"

#include <algorithm>
#include <string>

#include "collectors/base/posix/proc_folder.h"

namespace winperf::worker {

ProcessUse process_use(pid_t process) {
  const std::string folder = "/proc/" + std::to_string(process);
  ProcessUse use{
      .private_bytes = {}, .handles = proc_open_files(folder), .threads = proc_threads(folder)};
  if (const auto memory = proc_memory(folder))
    use.private_bytes = memory->resident - std::min(memory->shared, memory->resident);
  return use;
}

}  // namespace winperf::worker
