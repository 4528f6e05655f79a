// Asks the exporter that runs at an address of this machine for its metrics about itself, without
// TLS and passwords, which only clients have. The answer is not trusted: any program may listen
// there. Blocks for a few seconds at most. Thread rule: any thread.
#pragma once

#include <cstdint>
#include <expected>
#include <string>
#include <vector>

namespace winperf {

// Its page with only the metrics of these names, which doesn't count as a scrape. The error is a
// part of a sentence: "it asks for a password".
[[nodiscard]] std::expected<std::string, std::string> read_local_page(
    const std::string& address, std::uint16_t port, const std::string& path,
    const std::vector<std::string>& names);

}  // namespace winperf
