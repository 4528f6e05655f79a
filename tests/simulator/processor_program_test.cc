// Microsoft's sample consumer of Processor Information, by our own parts: ten samples, and for each
// pair of them % Processor Time of "_Total" by the formula that the sample program prints.
#include <gtest/gtest.h>

#include <iterator>
#include <map>
#include <string>
#include <vector>

#include "collectors/catalog/v2_catalog.h"
#include "collectors/sources/perflib_client.h"
#include "tests/simulator/codes.h"
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

// The program takes the new sample for the old one only where it read one.
TEST(ProcessorProgram, AFailureInTheLoopKeepsTheOldSampleForTheNextOne) {
  Machine machine;
  furnish(machine);
  SimulatedSampler sampler(machine, {planned("Processor Information", CounterPath::kPerflib)});
  std::shared_ptr<const CountersetSample> before;
  double since = 0;  // seconds since `before`
  for (int i = 0; i < 10; ++i) {
    if (i == 3 || i == 4) machine.faults.fail(Point::kData, kAccessDenied);
    if (i == 7) machine.faults.spoil(Point::kData, Damage::kCut, 1);
    const bool fails = i == 3 || i == 4 || i == 7;
    sampler.round();
    ASSERT_EQ(sampler.state().success, !fails) << i;
    const auto now = sampler.state().sample;
    if (fails) {
      EXPECT_EQ(now, before) << i;
    } else if (before != nullptr) {
      const std::size_t cell = now->cell(row_of(*now, "_Total"), 0);
      const auto counted = static_cast<double>(now->raw[cell] - before->raw[cell]);
      EXPECT_EQ(now->reason[cell], NoValue::kNone) << i;
      EXPECT_DOUBLE_EQ(now->cooked[cell], 100.0 * (1.0 - counted / (since * 1e7))) << i;
    }
    if (!fails) since = 0;
    before = now;
    const double seconds = 1 + 0.25 * i;
    machine.advance(seconds);
    since += seconds;
  }
}

// Ids, types and widths as the program's header has them, in its order. Windows has no names for
// the bases, which the header calls "... Base".
struct ProgramCounter {
  std::uint32_t id;
  const char* name;
  std::uint32_t type;
  std::uint32_t bytes;
};

constexpr ProgramCounter kProgramCounters[] = {
    {0, "% Processor Time", 0x21510500, 8},  // PERF_100NSEC_TIMER_INV
    {1, "% User Time", 0x20510500, 8},       // PERF_100NSEC_TIMER
    {2, "% Privileged Time", 0x20510500, 8},
    {3, "Interrupts/sec", 0x10410400, 4},  // PERF_COUNTER_COUNTER
    {4, "% DPC Time", 0x20510500, 8},
    {5, "% Interrupt Time", 0x20510500, 8},
    {6, "DPCs Queued/sec", 0x10410400, 4},
    {7, "DPC Rate", 0x00010000, 4},  // PERF_COUNTER_RAWCOUNT
    {8, "% Idle Time", 0x20510500, 8},
    {9, "% C1 Time", 0x20510500, 8},
    {10, "% C2 Time", 0x20510500, 8},
    {11, "% C3 Time", 0x20510500, 8},
    {12, "C1 Transitions/sec", 0x10410500, 8},  // PERF_COUNTER_BULK_COUNT
    {13, "C2 Transitions/sec", 0x10410500, 8},
    {14, "C3 Transitions/sec", 0x10410500, 8},
    {15, "% Priority Time", 0x21510500, 8},
    {16, "Parking Status", 0x00010000, 4},
    {17, "Processor Frequency", 0x00010000, 4},
    {18, "% of Maximum Frequency", 0x00010000, 4},
    {19, "Processor State Flags", 0x00010000, 4},
    {20, "Clock Interrupts/sec", 0x10410400, 4},
    {21, "Average Idle Time", 0x20570500, 8},  // PERF_PRECISION_100NS_TIMER
    {22, "", 0x40030500, 8},                   // PERF_PRECISION_TIMESTAMP
    {23, "Idle Break Events/sec", 0x10410500, 8},
    {24, "% Processor Performance", 0x40020500, 8},  // PERF_AVERAGE_BULK
    {25, "", 0x40030402, 4},                         // PERF_AVERAGE_BASE
    {26, "% Processor Utility", 0x40020500, 8},
    {28, "% Privileged Utility", 0x40020500, 8},
    {27, "", 0x40030402, 4},
    {30, "% Performance Limit", 0x00010000, 4},
    {31, "Performance Limit Flags", 0x00010000, 4},
};

TEST(ProcessorProgram, ItsCountersHaveTheProgramsIdsTypesAndWidths) {
  Machine machine;
  furnish(machine);
  PerflibFace face(machine);
  PerflibClient client(face, "");
  V2Catalog catalog(client, Language::kEnglish);
  ASSERT_TRUE(catalog.refresh());
  const auto counterset = catalog.counterset(kProcessorInformation);
  ASSERT_TRUE(counterset);
  // Windows Server 2019 has two more, which have no names either and which no counter needs.
  EXPECT_EQ((*counterset)->registration.counters.size(), std::size(kProgramCounters) + 2);
  SimulatedSampler sampler(machine, {planned("Processor Information")});
  sampler.round();
  const CountersetSample& sample = *sampler.state().sample;
  std::map<std::uint32_t, std::uint32_t> widths;  // of values and bases, by counter id
  for (const CounterSchema& counter : sample.schema->counters) {
    const std::uint32_t id = value_of(counter.index);
    widths[id] = counter.size;
    if (const auto base = (*counterset)->registration.find(id)->base_id)
      widths[*base] = counter.base_size;
  }
  for (const ProgramCounter& counter : kProgramCounters) {
    SCOPED_TRACE(counter.id);
    const v2::CounterRegistration* const found = (*counterset)->registration.find(counter.id);
    ASSERT_NE(found, nullptr);
    EXPECT_EQ(found->type, CounterType{counter.type});
    const auto name = (*counterset)->counter_names.find(counter.id);
    EXPECT_EQ(name == (*counterset)->counter_names.end() ? "" : name->second, counter.name);
    EXPECT_EQ(widths[counter.id], counter.bytes);
  }
}

TEST(ProcessorProgram, ItsTextsAreThoseOfTheRegistration) {
  Machine machine;
  furnish(machine);
  SimulatedSampler sampler(machine, {planned("Processor Information")});
  sampler.round();
  const CountersetSchema& schema = *sampler.state().sample->schema;
  EXPECT_EQ(schema.name, "Processor Information");
  EXPECT_EQ(schema.help, "Activity of the processors.");
  EXPECT_TRUE(schema.multi_instance);
  EXPECT_EQ(schema.counters.at(0).name, "% Processor Time");
  EXPECT_EQ(schema.counters.at(0).help, "What its name says.");
}

TEST(ProcessorProgram, ItsInstancesAreCalledAsInTheProgram) {
  Machine machine;
  furnish(machine);
  SimulatedSampler sampler(machine, {planned("Processor Information")});
  sampler.round();
  std::vector<std::string> names;
  for (const InstanceSchema& instance : sampler.state().sample->instances->instances)
    names.push_back(instance.name);
  EXPECT_EQ(names, (std::vector<std::string>{"_Total", "1,_Total", "1,1", "1,0", "0,_Total", "0,1",
                                             "0,0"}))
      << "Windows lists them by descending id";
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
    EXPECT_FALSE(counter.name.empty()) << "neither bases nor what is for nobody are shown";
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
