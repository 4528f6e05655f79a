// Text as it is written inside quotes and comments of both formats of the page.
// Source: Prometheus documentation, "Exposition formats"; OpenMetrics 1.0. Thread rule: any thread.
#pragma once

#include <string>
#include <string_view>

namespace winperf {

// What isn't UTF-8 becomes U+FFFD.
void append_escaped(std::string& out, std::string_view text, bool quotes);

// "name=\"value\"", escaped.
void append_label(std::string& out, std::string_view name, std::string_view value);

}  // namespace winperf
