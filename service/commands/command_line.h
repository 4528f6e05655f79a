// The command line of winperf_exporter. Thread rule: the main thread.
#pragma once

#include <string>
#include <vector>

namespace winperf {

// Parses and runs the words of the command line; returns the process' exit code.
int run_command_line(int argc, char** argv);
// The same with these words, which are UTF-8 and do not begin with the program's name.
int run_command_line(const std::vector<std::string>& words);

}  // namespace winperf
