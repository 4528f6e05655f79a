// How time passes for a simulated executable.
//
// It passes as it does here, unless the environment says otherwise:
//   WINPERF_SIMULATOR_PAST=6h     "run" begins with a recorder that has sampled for so long
//   WINPERF_SIMULATOR_SPEED=60    once it serves, the machine's clocks and the program's go so many
//                                 times as fast
// Thread rule: the past belongs to one thread, before there are others; all else is any thread's.
#pragma once

#include <chrono>
#include <cstdint>

#include "collectors/base/clock.h"

namespace winperf::simulator {

inline constexpr const char* kPastVariable = "WINPERF_SIMULATOR_PAST";
inline constexpr const char* kSpeedVariable = "WINPERF_SIMULATOR_SPEED";

// Of the environment; both end the process with a message where that is wrong.
std::chrono::milliseconds past_of_environment();
int speed_of_environment();

// The time of the real machine when the first of several processes asked for it, as a FILETIME.
std::int64_t first_time_100ns();
// What has passed since; negative in the past.
std::int64_t passed_100ns();

// The clocks of the program. In the past a pause takes no time, but moves all clocks on.
ClockSource passing_clocks();

// From now on it is so long ago.
void go_back(std::chrono::milliseconds past);
// How much of that is left.
std::chrono::nanoseconds past_left();
// It is now, and from now on time passes at the speed of the environment.
void go_on();

}  // namespace winperf::simulator
