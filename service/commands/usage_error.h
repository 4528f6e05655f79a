// What is wrong with a command line, in this program's words instead of the parser's. Thread rule:
// pure functions.
#pragma once

#include <CLI/CLI.hpp>

#include <string>

namespace winperf {

// One sentence that ends with the help to see. `program`: while it parses, so that it knows the
// command.
std::string usage_error(const CLI::App& program, const CLI::ParseError& error);

// "winperf_exporter config init"
std::string called(const CLI::App& app);

}  // namespace winperf
