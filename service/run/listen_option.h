// Where the program listens: as configured, or where the command line says. Thread rule: any
// thread.
#pragma once

#include <expected>
#include <string>
#include <string_view>
#include <vector>

#include "config/config.h"

namespace winperf {

// The value of --listen: "ADDRESS:PORT", "[::1]:PORT", or ":PORT" for every interface. What is
// served there, and under which names, is as configured for this address, otherwise the default;
// how it is protected, as configured for this address, otherwise for the first one. The error is a
// sentence for the command line.
[[nodiscard]] std::expected<ListenConfig, std::string> parse_listen(
    std::string_view text, const std::vector<ListenConfig>& configured);

}  // namespace winperf
