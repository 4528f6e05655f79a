// The providers of the simulated server: V1 objects and V2 countersets made of its data.
#pragma once

#include <memory>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "tests/simulator/server/rows.h"
#include "tests/simulator/v1_provider.h"
#include "tests/simulator/v2_provider.h"

namespace winperf::simulator {

// What all providers of a server know. The machine outlives them.
struct ServerMachine {
  const Machine& machine;
  std::shared_ptr<const ServerData> data;  // several machines may have the same
  std::optional<std::int64_t> boot_100ns;  // without one, the machine's clock began with it

  ServerMoment moment() const {
    const Now now = machine.now();
    return {.now = now, .boot_100ns = boot_100ns.value_or(now.time_100ns - now.perf_time)};
  }
};
using SharedServer = std::shared_ptr<const ServerMachine>;

// `provider`: one of the data, with title indices for all its objects and counters. Those that are
// in `named` have their names from another one.
std::shared_ptr<V1Provider> v1_provider(const SharedServer& server, const ServerProvider& provider,
                                        std::set<std::uint32_t>& named);
std::shared_ptr<V2Provider> v2_provider(const SharedServer& server, const ServerProvider& provider);

}  // namespace winperf::simulator
