// The counters that tell a process or thread from the next one with the same name, by their English
// names.
#pragma once

#include <string_view>

namespace winperf {

inline constexpr std::string_view kProcessIdName = "ID Process";
inline constexpr std::string_view kThreadIdName = "ID Thread";

}  // namespace winperf
