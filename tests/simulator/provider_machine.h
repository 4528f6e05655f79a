// The simulated machine's V1 providers, one at a time, without the system between them and whoever
// calls their functions. Thread rule: one thread.
#pragma once

#include "collectors/provider/provider_machine.h"
#include "tests/simulator/machine.h"

namespace winperf::simulator {

class SimulatedProviders final : public ProviderMachine {
 public:
  // `machine` outlives this object.
  explicit SimulatedProviders(Machine& machine) : machine_(machine) {}

  std::vector<ProviderRegistration> registrations() override;
  std::expected<std::unique_ptr<ProviderLibrary>, Error> load(
      const ProviderRegistration& provider) override;
  LibraryHead library_head(const ProviderRegistration& provider) override;
  LibraryOrigin library_origin(const LibraryHead& library) override;
  std::optional<PerfHost> perf_host() override { return machine_.perf_host; }
  BlockMoment now() override;
  std::u16string computer_name() override { return u"HOST-01"; }

 private:
  using Providers = std::vector<std::shared_ptr<V1Provider>>;
  Providers::const_iterator find(const ProviderRegistration& provider) const;

  Machine& machine_;
};

}  // namespace winperf::simulator
