// Durations and sizes as people write them. A text that isn't one has no value. Thread rule: any
// thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace winperf {

// A whole decimal number, with or without a sign. Nothing if the text isn't one or it doesn't fit.
std::optional<std::int64_t> parse_integer(std::string_view text);

// "500ms", "15s", "1.5m", "1m30s", "1h" in milliseconds; a bare number means seconds. Nothing if
// the text isn't a duration, is negative, or isn't a whole number of milliseconds.
std::optional<std::int64_t> parse_duration_ms(std::string_view text);
// One that is too short for that: "500us", "10ns". In whole milliseconds, and at least one.
std::optional<std::int64_t> parse_short_duration_ms(std::string_view text);

// "64MiB", "512 KiB", "1GiB" in bytes; a bare number means bytes.
std::optional<std::int64_t> parse_bytes(std::string_view text);

// "500ms", "15s", "1m30s", "0s": what parse_duration_ms() reads back.
std::string duration_text(std::int64_t milliseconds);

// "64MiB", "1000B": what parse_bytes() reads back, exactly.
std::string bytes_text(std::int64_t bytes);

}  // namespace winperf
