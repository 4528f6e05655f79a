#include <optional>
#include <string>
#include <vector>

#include "collectors/discovery/discovery.h"
#include "collectors/sampler/sampler.h"
#include "tests/bench/bench.h"
#include "tests/bench/everything.h"
#include "tests/simulator/crowd.h"
#include "tests/simulator/machine.h"
#include "tests/simulator/registry_source.h"

namespace winperf::testing {
namespace {

constexpr std::size_t kObjects = 1000;
constexpr std::size_t kInstances = 50;
constexpr std::size_t kFewInstances = 2;  // where nobody looks at the figures

// In bytes of replies; 0 if an object was not found.
std::size_t look(simulator::RegistrySource& source) {
  const auto inventory = take_inventory(source, nullptr, {}, system_clocks(), {});
  return inventory && inventory->countersets.size() == kObjects ? inventory->bytes : 0;
}

std::size_t bytes_of(const Sample& sample) {
  std::size_t bytes = 0;
  for (const CountersetState& state : sample.countersets) {
    if (!state.success) return 0;
    bytes += state.bytes;
  }
  return bytes;
}

}  // namespace

bool measure_discovery(std::chrono::milliseconds least) {
  simulator::Machine machine;
  const std::size_t instances = least.count() == 0 ? kFewInstances : kInstances;
  machine.add(simulator::crowd_provider(machine, kObjects, {}, instances));
  simulator::RegistrySource source(machine, {});
  machine.supports_metadata = true;
  bool good = measure("find 1000 objects, metadata", least, [&] { return look(source); });
  machine.supports_metadata = false;
  good &= measure("find 1000 objects, values", least, [&] { return look(source); });

  SampleSlot slot;
  SteadyTime now;
  Sampler sampler({.registry = source}, slot, everything(source),
                  {.steady_now = [&now] { return now; }, .wall_now = [] { return Ticks100ns{}; }},
                  {});
  return measure("sample 1000 objects", least,
                 [&] {
                   now += std::chrono::seconds(5);
                   machine.advance(5);
                   sampler.step({});
                   return bytes_of(*slot.latest());
                 }) &&
         good;
}

}  // namespace winperf::testing
