// The program, as in service/main.cc, on a simulated machine whose time passes as its environment
// says. WINPERF_SIMULATOR_PROGRAM: what a selftest starts instead of it.
#include <cstdlib>
#include <filesystem>
#include <string_view>

#include "collectors/worker/worker_process.h"
#include "service/commands/command_line.h"
#include "service/plan/hardening.h"
#include "tests/simulator/executable/past.h"

namespace {

bool is_selftest(int argc, char** argv) {
  return argc > 1 && std::string_view(argv[1]) == "selftest";
}

}  // namespace

int main(int argc, char** argv) {
  winperf::limit_freed_memory();
  const char* const program = std::getenv("WINPERF_SIMULATOR_PROGRAM");
  return winperf::run_command_line(argc, argv,
                                   {.executable = program != nullptr && is_selftest(argc, argv)
                                                      ? std::filesystem::path(program)
                                                      : winperf::worker::own_executable()},
                                   winperf::simulator::begin_earlier);
}
