// What neither type nor name of a counter tells: a table by English object and counter name.
// Source: reference pages of the Windows counters; see docs/metrics.md.
#pragma once

#include <string_view>

namespace winperf {

struct Override {
  std::string_view object;
  std::string_view counter;  // a trailing '*' stands for any rest
  bool cumulative = false;   // published as a plain number, but only ever grows
  std::string_view stem;     // instead of the words of the name, where not empty
  std::string_view unit;     // instead of the name's unit, where not empty
  double factor = 1;         // with `unit`
};

// The table's row, or one without any effect.
const Override& override_for(std::string_view object, std::string_view counter);

}  // namespace winperf
