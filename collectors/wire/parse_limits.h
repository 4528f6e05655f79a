// The largest performance data that is accepted. Real blocks stay far below; what is above is an
// error (kLimitExceeded), never cut off in silence.
#pragma once

#include <cstddef>
#include <cstdint>

namespace winperf {

struct ParseLimits {
  std::size_t block_bytes = std::size_t{1} << 30;
  std::uint32_t objects = 65'536;
  std::uint32_t counters_per_object = 65'536;
  std::uint32_t instances_per_object = 4'194'304;
  std::uint32_t name_bytes = 65'536;  // of one instance name
};

}  // namespace winperf
