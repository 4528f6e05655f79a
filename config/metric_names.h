// Names of metrics and labels that a configuration chooses. Thread rule: pure functions.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace winperf {

// What is wrong with it, after the name of a key; nothing if it is good.
std::optional<std::string> metric_name_problem(std::string_view name);
std::optional<std::string> label_name_problem(std::string_view name);

}  // namespace winperf
