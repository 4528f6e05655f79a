// A command line as words, as Windows' programs take it apart. Thread rule: any thread.
// Source: Learn, "Parsing C command-line arguments" and CommandLineToArgvW.
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
