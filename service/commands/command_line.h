// The command line of winperf_exporter. Thread rule: the main thread.
#pragma once

namespace winperf {

// Parses and runs; returns the process' exit code.
int run_command_line(int argc, char** argv);

}  // namespace winperf
