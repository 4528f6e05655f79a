// The simulated machine and its network in the place of Windows, for an executable that runs
// anywhere.
#include <cstdlib>

#include "collectors/pdh/pdh_api.h"
#include "collectors/provider/provider_machine.h"
#include "collectors/sources/platform.h"
#include "tests/simulator/fact_source.h"
#include "tests/simulator/network/network_perflib.h"
#include "tests/simulator/pdh_double.h"
#include "tests/simulator/pdh_lies.h"
#include "tests/simulator/provider_machine.h"
#include "tests/simulator/registry_source.h"
#include "tests/simulator/scenario.h"

namespace winperf {
namespace {

simulator::Machine& machine() {
  static const auto machine = simulator::scenario_of_environment();
  return *machine;
}

simulator::Network& network() {
  static simulator::Network network(simulator::real_time_100ns);
  return network;
}

}  // namespace

std::expected<std::unique_ptr<CounterSource>, SourceError> make_registry_source(
    const QueryLimits& limits) {
  return std::make_unique<simulator::RegistrySource>(machine(), limits);
}

std::expected<std::unique_ptr<CounterSource>, SourceError> make_remote_source(
    const std::string& machine, const QueryLimits& limits) {
  return network().registry_of(machine, limits);
}

std::unique_ptr<ProviderMachine> make_provider_machine() {
  return std::make_unique<simulator::SimulatedProviders>(machine());
}

std::expected<std::unique_ptr<PerflibApi>, SourceError> make_perflib_api() {
  return std::make_unique<simulator::NetworkPerflib>(machine(), network());
}

std::expected<std::unique_ptr<PdhApi>, Error> make_pdh_api() {
  return simulator::lying_as_environment_says(std::make_unique<simulator::SimulatedPdh>(machine()));
}

std::unique_ptr<FactSource> make_fact_source() {
  const char* const script = std::getenv(simulator::kScenarioVariable);
  const auto server = simulator::server_in(script == nullptr ? "" : script);
  if (!server) return simulator::make_no_facts();
  const auto moment = [boot = server->boot_100ns] {
    return simulator::ServerMoment{machine().now(), boot};
  };
  return simulator::make_server_facts(moment, server->kind);
}

}  // namespace winperf
