// What a German system calls its countersets and some of their counters. What isn't here has its
// English name, as what is installed later often has.
#pragma once

#include "tests/simulator/server/server_data.h"

namespace winperf::simulator {

void translate_to_german(ServerData& data);

}  // namespace winperf::simulator
