#include "tests/simulator/formula_provider.h"

#include "tests/simulator/codes.h"

namespace winperf::simulator {

std::vector<CountersetDefinition> FormulaProvider::countersets() const {
  std::vector<CountersetDefinition> definitions;
  for (const Set& set : sets_) definitions.push_back(set.definition);
  return definitions;
}

std::expected<std::vector<InstanceValues>, std::uint32_t> FormulaProvider::enumerate(
    const CountersetDefinition& counterset, const Mask& mask) {
  return collect(counterset, mask);
}

std::expected<std::vector<InstanceValues>, std::uint32_t> FormulaProvider::collect(
    const CountersetDefinition& counterset, const Mask&) {
  const Now now = machine_.now();
  for (const Set& set : sets_) {
    if (set.definition.guid != counterset.guid) continue;
    std::vector<InstanceValues> result;
    for (std::size_t i = 0; i < set.instances.size(); ++i) {
      InstanceValues& instance = result.emplace_back();
      instance.name = set.instances[i].name;
      instance.id = set.instances[i].id;
      for (const CounterDefinition& counter : set.definition.counters)
        instance.values.push_back(set.value(counter, i, now));
    }
    return result;
  }
  return std::unexpected(kGuidNotFound);
}

}  // namespace winperf::simulator
