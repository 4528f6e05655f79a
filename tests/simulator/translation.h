// The system's translation of V2 countersets to V1 objects, for consumers that read the registry.
//
// Counters keep their order; a base stands after each counter that uses it, also where several
// share one, and what only serves other counters is not shown by itself. Instances that the
// consumer of PerfLib has to add up are added up here. Names come by way of the title indices that
// the machine has given to the set and its counters.
#pragma once

#include <optional>

#include "tests/simulator/machine.h"
#include "tests/support/block_builder.h"

namespace winperf::simulator {

// Empty if the provider supplies no data and the object has no instances of its own.
class Translation {
 public:
  explicit Translation(const Machine& machine) : machine_(machine) {}

  std::optional<testing::ObjectBuilder> object(const Machine::Found& found, bool metadata);

 private:
  void remember(const CountersetDefinition& counterset, const std::vector<InstanceValues>& rows);

  const Machine& machine_;
  // Of countersets that remember vanished instances: the last values of each, alive or not.
  std::map<Guid, std::vector<InstanceValues>> history_;
};

}  // namespace winperf::simulator
