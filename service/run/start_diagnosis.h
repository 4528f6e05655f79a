// Why a service that has ended at once could not start, as far as that can be found out afterwards:
// its configuration is read, and its port asked for, once more. The service itself can only write
// to the event log, which whoever starts it, such as an installer, does not see.
#pragma once

#include <expected>
#include <string>
#include <string_view>
#include <vector>

#include "config/config.h"

namespace winperf {

// The arguments of a command line, the program first, as the C runtime takes it apart.
std::vector<std::string> split_command_line(std::string_view command_line);

// For a service that `service install` has made: one line for each thing that is wrong, such as
// "cannot listen on 0.0.0.0:10182: ...". Empty where nothing is.
std::string diagnose_start(std::string_view command_line);

// The value of --listen.
// "ADDRESS:PORT", ":PORT" or "[::1]:PORT"; an empty address keeps that of `listen`.
// The error is a sentence for the command line.
std::expected<ListenConfig, std::string> parse_listen(const std::string& text, ListenConfig listen);

}  // namespace winperf
