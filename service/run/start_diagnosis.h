// Finds out why a service has ended at once, by reading its configuration and trying its port once
// more. The service itself can only write to the event log, where an installer that starts it does
// not look. Thread rule: any thread.
#pragma once

#include <expected>
#include <string>
#include <string_view>
#include <vector>

#include "config/config.h"

namespace winperf {

// The arguments of a command line, beginning with the program, by the rules of the C runtime.
std::vector<std::string> split_command_line(std::string_view command_line);

// For the command line of a service that `service install` has created: one line for each thing
// that is wrong, such as "cannot listen on 0.0.0.0:10182: ...". Empty if nothing is found.
std::string diagnose_start(std::string_view command_line);

// The value of --listen: "ADDRESS:PORT", ":PORT" or "[::1]:PORT". An empty address keeps that of
// `listen`. The error is a sentence for the command line.
[[nodiscard]] std::expected<ListenConfig, std::string> parse_listen(const std::string& text,
                                                                    ListenConfig listen);

}  // namespace winperf
