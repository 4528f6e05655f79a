// What typeperf prints: a line with the counters' paths, and one for each reading. Input is a
// program's output, which isn't trusted; lines of other forms are messages, and left out.
// Thread rule: pure functions. Source: Learn, typeperf (CSV as logs have it).
#pragma once

#include <cstddef>
#include <string_view>

namespace winperf::selftest {

struct CounterLines {
  std::size_t counters = 0;  // columns without that of the time
  std::size_t readings = 0;
  std::size_t values = 0;  // of the last reading: those that are numbers of 0 or more
};

CounterLines counter_lines(std::string_view output);

}  // namespace winperf::selftest
