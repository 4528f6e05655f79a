// What a simulated executable has when it begins to run: time, a past, and a shared section.
#pragma once

#include "service/run/server.h"

namespace winperf::simulator {

// Has the clocks of passing_time.h, its past, and the section of own_section.h.
void begin_earlier(RunOptions& options);

}  // namespace winperf::simulator
