// How many logical processors a machine has, which is what a process' "% Processor Time" is divided
// by to get its part of the whole machine. Thread rule: pure function.
#pragma once

#include <cstdint>
#include <optional>

#include "collectors/facts/fact_state.h"
#include "collectors/model/sample.h"

namespace winperf::api {

// From the facts about processors, or from the instances of Processor Information or Processor, if
// these are sampled and seem to be all. `sample`, `facts`: null if there are none.
[[nodiscard]] std::optional<std::uint64_t> logical_processors(const Sample* sample,
                                                              const FactSnapshot* facts,
                                                              SteadyTime now);

}  // namespace winperf::api
