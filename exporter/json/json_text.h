// The pieces of a JSON text. They are written directly, because a page may have 10^5 values, and a
// tree of them would take many times the memory of the text. Source: RFC 8259. The output is always
// valid UTF-8. Thread rule: any thread.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "collectors/model/clock.h"

namespace winperf::json {

// Quoted and escaped.
void append_string(std::string& out, std::string_view text);
// All digits.
void append_number(std::string& out, std::uint64_t value);
// The shortest text that reads back as the same number; null for NaN and infinities, which JSON
// lacks.
void append_number(std::string& out, double value);
// "2007-08-14T15:41:38.6148066Z" in quotes; null outside the years 1601 to 9999.
void append_time(std::string& out, Ticks100ns time);

}  // namespace winperf::json
