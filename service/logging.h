// The program's logger: text or JSON lines, to stderr or a file.
//
// Made once in main and passed down. Only the service room logs; the other rooms return values.
// Thread rule: any thread.
#pragma once

#include <spdlog/logger.h>

#include <expected>
#include <memory>
#include <string>

#include "config/config.h"

namespace winperf {

using Logger = std::shared_ptr<spdlog::logger>;

// The error is a sentence that names the file that could not be opened.
std::expected<Logger, std::string> make_logger(const LogConfig& config);

}  // namespace winperf
