// The lines of the Prometheus text format 0.0.4.
// Source: Prometheus documentation, "Exposition formats". Thread rule: any thread.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace winperf {

// The shortest text that reads back as the same number; "NaN", "+Inf" and "-Inf".
void append_number(std::string& out, double value);
// All digits.
void append_number(std::string& out, std::uint64_t value);

// "# HELP name help\n# TYPE name type\n"
void append_header(std::string& out, std::string_view name, std::string_view help,
                   std::string_view type);

// "name=\"value\"", escaped.
void append_label(std::string& out, std::string_view name, std::string_view value);

}  // namespace winperf
