// Numbers in Go's form. parse_go_number() reads one as the reference parser of the text format
// does, which is Go's ParseFloat without hexadecimal numbers and underscores: "12", "+.5e3", "1.",
// "NaN", "+Inf", "infinity", in any case. Source: Go, package strconv; prometheus/common,
// expfmt/text_parse.go. Thread rule: any thread.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace winperf {

// Nothing if it isn't a number, or if it is too large for a double; too small ones are zero.
std::optional<double> parse_go_number(std::string_view text);

// As Go writes it, such as in the label `le`: the shortest digits, with an exponent below 0.0001
// and from a million. Other programs compare these labels as texts. `has_point`: "1.0", not "1",
// which is the form of OpenMetrics.
void append_go_number(std::string& out, double value, bool has_point);

}  // namespace winperf
