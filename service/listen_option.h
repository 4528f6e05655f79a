// The value of --listen.
#pragma once

#include <expected>
#include <string>

#include "config/config.h"

namespace winperf {

// "ADDRESS:PORT", ":PORT" or "[::1]:PORT"; an empty address keeps that of `listen`.
// The error is a sentence for the command line.
std::expected<ListenConfig, std::string> parse_listen(const std::string& text, ListenConfig listen);

}  // namespace winperf
