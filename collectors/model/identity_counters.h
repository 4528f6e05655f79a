// The counters whose values tell a process or thread from the next one of the same name, by their
// English names. Thread rule: pure functions.
#pragma once

#include <string_view>

#include "collectors/base/ascii.h"

namespace winperf {

inline constexpr std::string_view kThreadIdName = "ID Thread";

// Of processes and threads, which the id becomes a label of (ADR 0003). One counterset calls it
// differently.
constexpr std::string_view process_id_name(std::string_view object) {
  return equal_names(object, "Process V2") ? "Process ID" : "ID Process";
}

// Whether the counter is the id of a process, whatever the object calls it: "ID Process",
// "Process ID", "IDProcess", "ProcessId". Of other objects it says whose the instance is.
constexpr bool is_process_id(std::string_view counter) {
  const auto is_called = [counter](std::string_view words) {
    for (const char c : counter) {
      if (c == ' ' || c == '_') continue;
      if (words.empty() || ascii_lower(c) != words.front()) return false;
      words.remove_prefix(1);
    }
    return words.empty();
  };
  return is_called("idprocess") || is_called("processid");
}

}  // namespace winperf
