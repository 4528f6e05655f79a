// A command line as words, as Go's programs take it apart on Windows: by the rules of
// CommandLineToArgvW, and two quotes within quotes are one and end them. Thread rule: any thread.
// Source: Learn, "Parsing C command-line arguments"; readNextArg in Go's os/exec_windows.go.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace winperf::migration {

// The arguments alone.
std::vector<std::string> words_of(std::string_view arguments);

// A service's command line: a program first, in which a backslash is one, and which may have blanks
// without being in quotes.
std::vector<std::string> words_of_service(std::string_view command_line);

}  // namespace winperf::migration
