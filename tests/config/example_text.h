// The option table as the complete example of a configuration, config/winperf_exporter.yaml, which
// is built into the program: every key with its default and what it means. config_files_test
// compares it with that file, and writes the file when asked to.
#pragma once

#include <string>

#include "config/options.h"

namespace winperf {

// The value of a key that it shows, as it is written there.
std::string shown_value(const Option& option);

std::string example_text();

}  // namespace winperf
