// The complete example, config/winperf_exporter.yaml, which is built into the program. Thread rule:
// any thread.
#pragma once

#include <cstdint>
#include <expected>
#include <optional>
#include <string>
#include <string_view>

namespace winperf {

std::string_view example_config();

// The example, with other values of listen.address and listen.port if they are given, and with all
// its comments. The error is a sentence about the value that is wrong.
[[nodiscard]] std::expected<std::string, std::string> example_config_with(
    const std::optional<std::string>& address, const std::optional<std::string>& port);

}  // namespace winperf
