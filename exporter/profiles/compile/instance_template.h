// Whether an instance's template (exporter/profiles/name_template.h) is one. Thread rule: a pure
// function.
#pragma once

#include <string>
#include <string_view>

namespace winperf::tables {

// Nothing, if nothing is wrong with it.
std::string wrong_in_template(std::string_view text);

}  // namespace winperf::tables
