// Finds out why a service ended immediately, by reading its configuration and trying its port
// again. The service itself can only write to the event log, which an installer does not read.
// Thread rule: any thread.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace winperf {

// The arguments of a command line, beginning with the program, by the rules of the C runtime.
std::vector<std::string> split_command_line(std::string_view command_line);

// The value of an option that is given as two arguments or as "--option=value"; empty without it.
std::string option_in(const std::vector<std::string>& arguments, std::string_view option);
// Of a command line of `run`; empty if it names none.
std::string config_file_in(const std::vector<std::string>& arguments);

// For the command line of a service that `service install` has created: one line for each problem,
// such as "cannot listen on [::]:10182: ...". Empty if nothing is found.
std::string diagnose_start(std::string_view command_line);

}  // namespace winperf
