// Which Windows API counters are read through: the registry (HKEY_PERFORMANCE_DATA) or the PerfLib
// V2 functions. Thread rule: values.
#pragma once

#include <cstdint>
#include <string_view>

namespace winperf {

enum class CounterPath : std::uint8_t {
  kAuto,  // only as a choice: PerfLib for what V2 providers have registered, falling back to the
          // registry; the registry for everything else
  kRegistry,
  kPerflib,
  kLog,  // only of a sample: a log of single counters doesn't record which API they came from
};

// "auto", "registry", "perflib", "log": the words of the configuration, the metrics and the API.
constexpr std::string_view name_of(CounterPath path) {
  switch (path) {
    case CounterPath::kAuto:
      return "auto";
    case CounterPath::kRegistry:
      return "registry";
    case CounterPath::kPerflib:
      return "perflib";
    case CounterPath::kLog:
      return "log";
  }
  return "";  // unreachable: all cases return
}

}  // namespace winperf
