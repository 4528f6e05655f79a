// What the recorder of a simulated executable has when it begins to run.
#pragma once

#include "service/run/server.h"

namespace winperf::simulator {

// Has the clocks of passing_time.h, and its past.
void begin_earlier(RunOptions& options);

}  // namespace winperf::simulator
