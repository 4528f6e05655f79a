// The counters whose values tell a process or thread from the next one of the same name, by their
// English names. Thread rule: pure functions.
#pragma once

#include <string_view>

#include "collectors/base/ascii.h"

namespace winperf {

inline constexpr std::string_view kThreadIdName = "ID Thread";

// One counterset calls it differently.
constexpr std::string_view process_id_name(std::string_view object) {
  return equal_names(object, "Process V2") ? "Process ID" : "ID Process";
}

}  // namespace winperf
