// The simulated machine in the place of Windows, for an executable that runs anywhere.
#include <cstdlib>

#include "collectors/provider/provider_machine.h"
#include "collectors/sources/perflib.h"
#include "collectors/sources/registry.h"
#include "tests/simulator/fact_source.h"
#include "tests/simulator/perflib_face.h"
#include "tests/simulator/provider_machine.h"
#include "tests/simulator/registry_source.h"
#include "tests/simulator/scenario.h"

namespace winperf {
namespace {

simulator::Machine& machine() {
  static const auto machine = simulator::scenario_of_environment();
  return *machine;
}

}  // namespace

std::expected<std::unique_ptr<CounterSource>, SourceError> make_registry_source(
    const QueryLimits& limits) {
  return std::make_unique<simulator::RegistrySource>(machine(), limits);
}

std::unique_ptr<ProviderMachine> make_provider_machine() {
  return std::make_unique<simulator::SimulatedProviders>(machine());
}

std::expected<std::unique_ptr<PerflibApi>, SourceError> make_perflib_api() {
  return std::make_unique<simulator::PerflibFace>(machine());
}

std::unique_ptr<FactSource> make_fact_source() {
  const char* const scenario = std::getenv(simulator::kScenarioVariable);
  return simulator::make_simulated_facts(scenario == nullptr ? "" : scenario);
}

}  // namespace winperf
