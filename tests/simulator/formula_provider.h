// A V2 provider whose values follow from the machine's clocks, so that they can be told beforehand.
#pragma once

#include <functional>
#include <utility>

#include "tests/simulator/machine.h"
#include "tests/simulator/v2_provider.h"

namespace winperf::simulator {

class FormulaProvider final : public V2Provider {
 public:
  struct Instance {
    std::u16string name;
    std::uint32_t id = 0;
  };
  struct Set {
    CountersetDefinition definition;
    std::vector<Instance> instances;
    // The value of a counter of the n-th instance.
    std::function<std::uint64_t(const CounterDefinition&, std::size_t instance, const Now&)> value;
  };

  // `machine` outlives the provider.
  FormulaProvider(const Machine& machine, Guid guid, std::u16string name, std::vector<Set> sets)
      : machine_(machine), guid_(guid), name_(std::move(name)), sets_(std::move(sets)) {}

  Guid guid() const override { return guid_; }
  std::u16string name() const override { return name_; }
  std::vector<CountersetDefinition> countersets() const override;
  std::expected<std::vector<InstanceValues>, std::uint32_t> enumerate(
      const CountersetDefinition& counterset, const Mask& mask) override;
  std::expected<std::vector<InstanceValues>, std::uint32_t> collect(
      const CountersetDefinition& counterset, const Mask& mask) override;

  // Of the n-th set.
  std::vector<Instance>& instances(std::size_t set) { return sets_.at(set).instances; }

 private:
  const Machine& machine_;
  Guid guid_;
  std::u16string name_;
  std::vector<Set> sets_;
};

}  // namespace winperf::simulator
