// The machine of the soak in the place of Windows.
#include "collectors/sources/platform.h"
#include "collectors/provider/provider_machine.h"
#include "tests/simulator/fact_source.h"
#include "tests/simulator/perflib_face.h"
#include "tests/simulator/provider_machine.h"
#include "tests/simulator/registry_source.h"
#include "tests/soak/machine.h"

namespace winperf {
namespace {

// "Last Counter" grows with each installation; what is removed leaves a gap.
class GrowingRegistry final : public simulator::RegistrySource {
 public:
  using RegistrySource::RegistrySource;
  std::uint64_t provider_generation() override {
    return RegistrySource::provider_generation() + 2 * soak::board().installations;
  }
};

}  // namespace

std::expected<std::unique_ptr<CounterSource>, SourceError> make_registry_source(
    const QueryLimits& limits) {
  return std::make_unique<GrowingRegistry>(soak::machine(), limits);
}

std::unique_ptr<ProviderMachine> make_provider_machine() {
  return std::make_unique<simulator::SimulatedProviders>(soak::machine());
}

std::unique_ptr<FactSource> make_fact_source() { return simulator::make_no_facts(); }

std::expected<std::unique_ptr<PerflibApi>, SourceError> make_perflib_api() {
  return std::make_unique<simulator::PerflibFace>(soak::machine());
}

}  // namespace winperf
