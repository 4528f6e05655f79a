// Writes recorded samples of V1 objects as the registry would have delivered them
// (wire/v1_format.h).
//
// A counter that an instance doesn't have is after the end of its block, as where it was missing.
// Instances name their parents by their place in an object that holds only these: it has an index
// without a name, and no counters. Thread rule: pure functions.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "collectors/capture/written_counters.h"
#include "collectors/sources/source.h"

namespace winperf::capture {

struct WrittenObject {
  const CountersetSample* sample = nullptr;
  std::span<const WrittenCounter> counters;
  std::uint32_t index = 0;
  std::uint32_t help_index = 0;
  // Of the object that holds the names of parents.
  std::uint32_t parents = 0;
};

// A block of objects that were sampled together, with the clocks of the first one, or `clocks` if
// there is none.
[[nodiscard]] Bytes write_block(std::span<const WrittenObject> objects, const Clocks& clocks,
                                std::string_view machine);

}  // namespace winperf::capture
