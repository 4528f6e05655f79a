#include <string_view>

#include "collectors/worker/worker_process.h"
#include "service/commands/command_line.h"
#include "service/plan/hardening.h"
#include "service/plan/setup.h"

int main(int argc, char** argv) {
  // A worker searches for providers' DLLs as Windows does.
  if (argc < 2 || std::string_view(argv[1]) != winperf::kWorkerCommand) {
    winperf::load_system_dlls_only();
    winperf::limit_freed_memory();
  }
  return winperf::run_command_line(argc, argv, {.executable = winperf::worker::own_executable()});
}
