// The two formats of /metrics: which of them a client gets, how values of HTTP fields are read, and
// the lines of a page.
// Source: OpenMetrics 1.0; Prometheus documentation, "Exposition formats"; RFC 9110,
// sections 5.6.3, 12.4.2 and 12.5.1 (Accept). Thread rule: pure functions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "exporter/mapping/family.h"

namespace winperf {

enum class PageFormat : std::uint8_t {
  kText,         // Prometheus text 0.0.4
  kOpenMetrics,  // OpenMetrics 1.0
};
inline constexpr std::size_t kPageFormatCount = 2;

// The Content-Type.
std::string_view media_type(PageFormat format);

// `accept`: the Accept header, or several joined with commas; empty if there is none. Text unless
// the client asks for OpenMetrics by its name, and for nothing else more. Also text if it accepts
// neither: a page in a format that it has not asked for says more than a refusal.
PageFormat preferred_format(std::string_view accept);

// Without the blanks and tabs around it.
std::string_view trimmed(std::string_view text);

// Takes the text up to the separator, and the separator, from the front of `rest`; all of it if
// there is none. What was taken is trimmed.
std::string_view take_item(std::string_view& rest, char separator);

// The value of a parameter ("q" of "version=1;q=0.5"), without quotes; empty if there is none.
std::string_view parameter_of(std::string_view parameters, std::string_view name);

// The weight among the parameters of an item, 0 to 1: 1 if there is none, or if it is no weight,
// because the client wants what it names.
double weight_of(std::string_view parameters);

// The lines of both formats, which differ in the comments.

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
