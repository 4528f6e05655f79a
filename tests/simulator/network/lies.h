// A machine that lies about lengths and counts: in each of its blocks, one is wrong, and each time
// another one. By PerfLib it does the same.
#pragma once

#include <cstdint>
#include <memory>

#include "tests/simulator/spoiler.h"

namespace winperf::simulator {

// `seed`: where it begins.
std::unique_ptr<Spoiler> lies(std::uint64_t seed);

}  // namespace winperf::simulator
