// Corrections for counters whose type or name is misleading: a table by English object and counter
// name. Source: reference pages of the Windows counters; see docs/metrics.md. Thread rule: any
// thread.
#pragma once

#include <string_view>

namespace winperf {

struct Override {
  std::string_view object{};
  std::string_view counter{};  // a trailing '*' stands for any rest
  bool cumulative = false;     // registered as a plain number, but only ever grows
  std::string_view stem{};     // replaces the words of the name, unless empty
  std::string_view unit{};     // replaces the name's unit, unless empty
  double factor = 1;           // to `unit`
};

// The table's row, or one without any effect.
const Override& override_for(std::string_view object, std::string_view counter);

}  // namespace winperf
