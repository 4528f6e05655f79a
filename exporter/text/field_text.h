// Reading the values of HTTP fields. Thread rule: pure functions. Source: RFC 9110, sections 5.6.3
// and 12.4.2.
#pragma once

#include <string_view>

namespace winperf {

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

}  // namespace winperf
