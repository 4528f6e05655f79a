// Small texts that a migration reads and writes. Nothing fails. Thread rule: any thread.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "config/text_error.h"

namespace winperf::migration {

// The parts without blanks around them; empty ones are left out.
std::vector<std::string> split(std::string_view text, char separator);
// A pattern that matches what the name does in a counter's path: whatever its case, and with * for
// any text.
std::string path_pattern(std::string_view name);
// "in its line 2, a tab indents this line: write spaces"
std::string of_its_line(std::string_view text, const TextError& error);

}  // namespace winperf::migration
