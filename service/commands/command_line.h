// The command line of winperf_exporter.
#pragma once

namespace winperf {

// Parses and runs; returns the process' exit code.
int run_command_line(int argc, char** argv);

}  // namespace winperf
