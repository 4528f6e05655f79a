// How a worker process ended.
#pragma once

#include <cstdint>

namespace winperf::worker {

struct EndStatus {
  bool crashed = false;    // by an exception or a signal, not by itself
  std::uint32_t code = 0;  // the exception, the signal's number, or the exit code
};

}  // namespace winperf::worker
