// Microsoft's sample consumer of Processor Information, by our own parts: ten samples, and for each
// pair of them % Processor Time of "_Total" by the formula that the sample program prints.
#include <gtest/gtest.h>

#include "tests/simulator/path_pair.h"
#include "tests/simulator/processor_information.h"
#include "tests/simulator/standard_machine.h"

namespace winperf::simulator {
namespace {

std::size_t row_of(const CountersetSample& sample, std::string_view name) {
  const auto& instances = sample.instances->instances;
  for (std::size_t row = 0; row < instances.size(); ++row)
    if (instances[row].name == name) return row;
  ADD_FAILURE() << "no instance " << name;
  return 0;
}

TEST(ProcessorProgram, TenSamplesGiveTheProgramsNumbers) {
  Machine machine;
  furnish(machine);
  SimulatedSampler sampler(machine, {planned("Processor Information")});
  std::shared_ptr<const CountersetSample> before;
  for (int i = 0; i < 10; ++i) {
    sampler.round();
    const auto now = sampler.state().sample;
    ASSERT_NE(now, nullptr) << sampler.all_problems();
    EXPECT_EQ(now->schema->path, CounterPath::kPerflib);
    EXPECT_EQ(now->schema->guid, kProcessorInformation);
    const std::size_t cell = now->cell(row_of(*now, "_Total"), 0);
    ASSERT_EQ(now->schema->counters[0].name, "% Processor Time");
    if (before == nullptr) {
      EXPECT_EQ(now->reason[cell], NoValue::kFirstSample);
    } else {
      const auto counted = static_cast<double>(now->raw[cell] - before->raw[cell]);
      const auto elapsed =
          static_cast<double>(now->clocks.time_100ns.ticks - before->clocks.time_100ns.ticks);
      EXPECT_EQ(now->reason[cell], NoValue::kNone);
      EXPECT_DOUBLE_EQ(now->cooked[cell], 100.0 * (1.0 - counted / elapsed));
      EXPECT_DOUBLE_EQ(now->cooked[cell], 50.0) << "the simulated machine is idle half of the time";
    }
    before = now;
    machine.advance(1 + 0.25 * i);
  }
}

TEST(ProcessorProgram, BasesAreFoundByTheirIds) {
  Machine machine;
  furnish(machine);
  SimulatedSampler sampler(machine, {planned("Processor Information")});
  for (int i = 0; i < 3; ++i) {
    sampler.round();
    machine.advance(1);
  }
  const CountersetSample& sample = *sampler.state().sample;
  std::size_t found = 0;
  for (std::size_t column = 0; column < sample.columns(); ++column) {
    const CounterSchema& counter = sample.schema->counters[column];
    EXPECT_NE(counter.name, "% Processor Performance Base") << "bases are not shown";
    if (counter.name != "% Processor Utility" && counter.name != "% Privileged Utility") continue;
    ++found;
    ASSERT_TRUE(counter.has_base) << counter.name;
    // 625,000 a second, across the wrap of the base's 32 bits.
    EXPECT_DOUBLE_EQ(sample.cooked[sample.cell(0, column)], 100.0) << counter.name;
  }
  EXPECT_EQ(found, 2u);
}

}  // namespace
}  // namespace winperf::simulator
