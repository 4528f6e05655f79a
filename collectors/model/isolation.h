// How many providers share a worker process. Thread rule: values.
#pragma once

#include <cstdint>

namespace winperf {

enum class Isolation : std::uint8_t {
  kAuto,      // all, until one of them does harm; then each has a process of its own
  kRegistry,  // all: queries are the system's
  kHosts,     // each has its own
};

}  // namespace winperf
