// The command line of winperf_exporter. Thread rule: the main thread.
#pragma once

#include <string>
#include <vector>

#include "collectors/worker/worker.h"

namespace winperf {

// Parses and runs the words of the command line; returns the process' exit code. `origin`: of its
// workers, as isolation.h says. A test's executable, which is no worker, gives none.
int run_command_line(int argc, char** argv, const worker::WorkerOptions& origin = {});
// The same with these words, which are UTF-8 and do not begin with the program's name.
int run_command_line(const std::vector<std::string>& words,
                     const worker::WorkerOptions& origin = {});

}  // namespace winperf
