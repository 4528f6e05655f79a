#include "collectors/worker/worker_process.h"
#include "service/commands/command_line.h"
#include "service/run/isolation.h"

int main(int argc, char** argv) {
  winperf::isolate_providers(winperf::worker::own_executable());
  return winperf::run_command_line(argc, argv);
}
