// What a simulated executable has when it begins to run: time, a past, and a shared section.
#pragma once

#include "service/run/server.h"

namespace winperf::simulator {

// The file that is the section of the exporter's own counters; without it there is none.
inline constexpr char kSectionVariable[] = "WINPERF_OWN_SECTION";

// Has the clocks of passing_time.h, and its past.
void begin_earlier(RunOptions& options);

}  // namespace winperf::simulator
