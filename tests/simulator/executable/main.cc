// The program, as in service/main.cc, on a simulated machine whose time passes as its environment
// says.
#include "collectors/worker/worker_process.h"
#include "service/commands/command_line.h"
#include "service/plan/hardening.h"
#include "tests/simulator/executable/past.h"

int main(int argc, char** argv) {
  winperf::limit_freed_memory();
  return winperf::run_command_line(argc, argv, {.executable = winperf::worker::own_executable()},
                                   winperf::simulator::begin_earlier);
}
