// What the commands share: loading the configuration and saying what is wrong with it.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "config/config.h"

namespace winperf {

// The file's configuration, or the defaults where `file` is empty. Every error of the file goes to
// standard error; then there is no configuration.
std::optional<Config> load_config(const std::string& file);

// "winperf_exporter: message" on standard error.
void complain(std::string_view message);

}  // namespace winperf
