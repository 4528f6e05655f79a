// The lines of both formats of the page, which differ in the comments.
// Source: Prometheus documentation, "Exposition formats"; OpenMetrics 1.0. Thread rule: any thread.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "exporter/mapping/family.h"
#include "exporter/text/page_format.h"

namespace winperf {

// The base unit at the end of a family's name; empty if there is none.
std::string_view unit_of(std::string_view family);

// The shortest text that reads back as the same number; "NaN", "+Inf" and "-Inf".
void append_number(std::string& out, double value);
// All digits.
void append_number(std::string& out, std::uint64_t value);
void append_number(std::string& out, std::int64_t value);

// "# HELP name help\n# TYPE name type\n". `name`: that of the family's series. In OpenMetrics a
// counter's family lacks its "_total", and "# UNIT name unit\n" follows if the name ends in a
// base unit.
void append_header(std::string& out, PageFormat format, std::string_view name,
                   std::string_view help, std::string_view type);

// "family_created{labels} seconds\n": since when a counter counts, in seconds since 1970. `name`:
// that of its series; `labels`: as they are written, with braces, or empty.
void append_created(std::string& out, std::string_view name, std::string_view labels,
                    double seconds);

}  // namespace winperf
