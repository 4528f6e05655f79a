// The plan of a configuration that samples all that a machine has. Thread rule: one thread.
#pragma once

#include <string>
#include <vector>

#include "collectors/discovery/discovery.h"
#include "collectors/sampling/plan.h"
#include "tests/simulator/registry_source.h"

namespace winperf::testing {

inline std::vector<PlannedCounterset> everything(simulator::RegistrySource& source) {
  std::vector<PlannedCounterset> plan;
  const auto inventory = take_inventory(source, nullptr, {}, system_clocks(), {});
  for (const KnownCounterset& known : inventory.value().countersets) {
    PlannedCounterset& planned = plan.emplace_back();
    planned.label = known.name;
    planned.names = {known.name};
    planned.object = ObjectIndex{static_cast<std::uint32_t>(std::stoul(known.key))};
    planned.is_of_everything = true;
  }
  return plan;
}

}  // namespace winperf::testing
