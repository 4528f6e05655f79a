// The machine that most tests look at: V1 providers with System and Thing objects, and V2 providers
// with Processor Information and a counter of every type.
#pragma once

#include <memory>

#include "tests/simulator/formula_provider.h"
#include "tests/simulator/machine.h"

namespace winperf::simulator {

inline constexpr std::uint32_t kSystemObject = 2;
inline constexpr std::uint32_t kThingObject = 2000;

// `machine` is empty before.
void furnish(Machine& machine);

// The V1 providers alone.
std::shared_ptr<ObjectProvider> system_provider(const Machine& machine);
std::shared_ptr<ObjectProvider> thing_provider(const Machine& machine);

}  // namespace winperf::simulator
