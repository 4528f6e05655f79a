// The instances of a counterset of the simulated server, with their values, at a moment.
// Thread rule: any thread.
#pragma once

#include <cstdint>
#include <vector>

#include "tests/simulator/definitions.h"
#include "tests/simulator/machine.h"
#include "tests/simulator/server/server_data.h"

namespace winperf::simulator {

// When it is, and when the server was started, as a FILETIME.
struct ServerMoment {
  Now now;
  std::int64_t boot_100ns = 0;

  double seconds() const { return static_cast<double>(now.time_100ns - boot_100ns) / 1e7; }
};

// One without a name for an object without instances. The values are in the order of the counters,
// wider than those where they were too large for them.
std::vector<InstanceValues> rows_of(const ServerData& data, const ServerObject& object,
                                    const ServerMoment& moment);

}  // namespace winperf::simulator
