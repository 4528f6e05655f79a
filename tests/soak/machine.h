// The simulated machine of a soak, as each of its processes sees it by the board.
//
//   Clockwork  V1, one instance      Ticks (32 bits, wrap every 24 minutes) are kTicksPerBeat times
//                                    Beats (64 bits), which are seconds
//   Visitors   V1, 20 instances      each minute one comes whose name was never there, and one goes
//   Waves      V2, 8 instances       Ticks and Beats
//   Callers    V2, 20 instances      come and go as visitors do
//   Restarter  V1, one instance      counts from 0 again when its service restarts
//   Faulty Device  V1                what the board says is wrong with it
//   Guest      V2, if it is installed; each time with another counter
//
// All but the last two are honest: they can always be read. Thread rule: as Machine.
#pragma once

#include "tests/simulator/machine.h"
#include "tests/soak/board.h"

namespace winperf::soak {

inline constexpr std::uint64_t kTicksPerBeat = 3'000'017;

// The machine of this process, by the board of its environment. It stays until the process ends.
simulator::Machine& machine();
const Board& board();

}  // namespace winperf::soak
