// A V2 provider in kernel mode: what a driver's manifest says, and what the driver reports to the
// simulated kernel.
#pragma once

#include <memory>
#include <utility>

#include "tests/simulator/v2_provider.h"

namespace winperf::simulator {

class KernelProvider final : public V2Provider {
 public:
  KernelProvider(Guid guid, std::u16string name, std::vector<CountersetDefinition> definitions)
      : guid_(guid), name_(std::move(name)), definitions_(std::move(definitions)) {}

  Guid guid() const override { return guid_; }
  std::u16string name() const override { return name_; }
  std::vector<CountersetDefinition> countersets() const override { return definitions_; }
  std::uint32_t add_counter(const CountersetDefinition& counterset, const Mask& mask) override;
  void remove_counter(const CountersetDefinition& counterset, const Mask& mask) override;
  std::expected<std::vector<InstanceValues>, std::uint32_t> enumerate(
      const CountersetDefinition& counterset, const Mask& mask) override;
  std::expected<std::vector<InstanceValues>, std::uint32_t> collect(
      const CountersetDefinition& counterset, const Mask& mask) override;

 private:
  Guid guid_;
  std::u16string name_;
  std::vector<CountersetDefinition> definitions_;
};

// "Geometric Waves", as tests/providers/kcs/kcs.man declares it. The driver has to be loaded.
CountersetDefinition geometric_waves();
std::shared_ptr<KernelProvider> kcs_provider();

}  // namespace winperf::simulator
