// Durations and sizes as people write them.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace winperf {

// A whole number in decimal, with or without a sign. Nothing where it is not one or does not fit.
std::optional<std::int64_t> parse_integer(std::string_view text);

// "500ms", "15s", "1.5m", "1m30s", "1h" in milliseconds; a bare number means seconds. Nothing where
// the text is not one, is negative, or is not a whole number of milliseconds.
std::optional<std::int64_t> parse_duration_ms(std::string_view text);

// "64MiB", "512 KiB", "1GiB" in bytes; a bare number means bytes.
std::optional<std::int64_t> parse_bytes(std::string_view text);

}  // namespace winperf
