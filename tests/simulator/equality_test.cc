// The registry and PerfLib are two ways to the same providers: the same samples, the same cooked
// values, the same metrics, for every counter type and every kind of instances.
#include <gtest/gtest.h>

#include <map>
#include <sstream>
#include <string>

#include "exporter/text/sample_writer.h"

#include "tests/simulator/every_type.h"
#include "tests/simulator/path_pair.h"
#include "tests/simulator/standard_machine.h"

namespace winperf::simulator {
namespace {

// What a consumer sees of one value, whichever way it came.
struct Seen {
  CounterType type{};
  std::int32_t scale = 0;
  NoValue reason = NoValue::kNone;
  std::uint64_t raw = 0;
  std::uint64_t base = 0;
  std::uint64_t total = 0;
  std::uint64_t base_total = 0;
  double cooked = 0;
  bool operator==(const Seen&) const = default;
};

std::ostream& operator<<(std::ostream& out, const Seen& seen) {
  return out << to_string(seen.type) << " scale " << seen.scale << " reason '"
             << name_of(seen.reason) << "' raw " << seen.raw << " base " << seen.base << " total "
             << seen.total << " base total " << seen.base_total << " cooked " << seen.cooked;
}

// By "instance\counter".
std::map<std::string, Seen> seen_in(const CountersetSample& sample) {
  std::map<std::string, Seen> all;
  for (std::size_t row = 0; row < sample.rows(); ++row) {
    const std::string instance =
        sample.schema->multi_instance ? display_name(sample.instances->instances[row]) : "";
    for (std::size_t column = 0; column < sample.columns(); ++column) {
      const CounterSchema& counter = sample.schema->counters[column];
      const std::size_t cell = sample.cell(row, column);
      const Seen seen{.type = counter.type,
                      .scale = counter.default_scale,
                      .reason = sample.reason[cell],
                      .raw = sample.raw[cell],
                      .base = sample.base_at(cell),
                      .total = sample.total_at(cell),
                      .base_total = sample.base_total_at(cell),
                      .cooked = sample.cooked[cell]};
      EXPECT_TRUE(all.emplace(instance + '\\' + counter.name, seen).second) << counter.name;
    }
  }
  return all;
}

// The metrics page of one sample. Where it was read is in HELP, so that differs and is left out.
std::string page_of(const CountersetState& state) {
  Sample sample;
  sample.countersets.push_back(state);
  std::string page;
  SampleWriter({.total_instances = true}).append(page, sample);
  std::string without_help;
  std::istringstream lines(page);
  for (std::string line; std::getline(lines, line);)
    if (!line.starts_with("# HELP ")) without_help += line + '\n';
  return without_help;
}

class Equality : public ::testing::TestWithParam<v2::InstanceType> {
 protected:
  Equality() { furnish(machine_); }
  Machine machine_;
};

void expect_equal(const CountersetSample& by_registry, const CountersetSample& by_perflib) {
  EXPECT_EQ(by_registry.schema->path, CounterPath::kRegistry);
  EXPECT_EQ(by_perflib.schema->path, CounterPath::kPerflib);
  EXPECT_EQ(by_registry.schema->name, by_perflib.schema->name);
  EXPECT_EQ(by_registry.schema->help, by_perflib.schema->help);
  EXPECT_EQ(by_registry.schema->multi_instance, by_perflib.schema->multi_instance);
  const auto registry = seen_in(by_registry);
  const auto perflib = seen_in(by_perflib);
  EXPECT_EQ(registry.size(), perflib.size());
  for (const auto& [name, seen] : registry) {
    ASSERT_TRUE(perflib.contains(name)) << name;
    EXPECT_EQ(seen, perflib.at(name)) << name;
  }
}

TEST_P(Equality, HoldsForEveryCounterType) {
  const std::string name = utf8(every_type_set(GetParam()).definition.name);
  SimulatedSampler registry(machine_, {planned(name, CounterPath::kRegistry)});
  SimulatedSampler perflib(machine_, {planned(name, CounterPath::kPerflib)});
  std::size_t cooked = 0;
  for (int i = 0; i < 4; ++i) {
    registry.round();
    perflib.round();
    ASSERT_NE(registry.state().sample, nullptr) << registry.all_problems();
    ASSERT_NE(perflib.state().sample, nullptr) << perflib.all_problems();
    EXPECT_EQ(registry.all_problems(), "");
    EXPECT_EQ(perflib.all_problems(), "");
    expect_equal(*registry.state().sample, *perflib.state().sample);
    EXPECT_EQ(page_of(registry.state()), page_of(perflib.state()));
    EXPECT_GT(page_of(perflib.state()).size(), 2'000u);
    cooked = 0;
    for (const NoValue reason : perflib.state().sample->reason) cooked += reason == NoValue::kNone;
    machine_.advance(1.5);
  }
  EXPECT_GT(cooked, perflib.state().sample->reason.size() * 2 / 3)
      << "most types have a value, or the equality means little";
}

INSTANTIATE_TEST_SUITE_P(EveryKindOfInstances, Equality,
                         ::testing::Values(v2::InstanceType::kMultiple, v2::InstanceType::kSingle,
                                           v2::InstanceType::kSingleAggregate,
                                           v2::InstanceType::kMultipleAggregate,
                                           v2::InstanceType::kSingleAggregateHistory));

TEST_F(Equality, HoldsForProcessorInformation) {
  SimulatedSampler registry(machine_, {planned("Processor Information", CounterPath::kRegistry)});
  SimulatedSampler perflib(machine_, {planned("Processor Information", CounterPath::kPerflib)});
  for (int i = 0; i < 10; ++i) {
    registry.round();
    perflib.round();
    ASSERT_NE(registry.state().sample, nullptr) << registry.all_problems();
    ASSERT_NE(perflib.state().sample, nullptr) << perflib.all_problems();
    expect_equal(*registry.state().sample, *perflib.state().sample);
    EXPECT_EQ(page_of(registry.state()), page_of(perflib.state()));
    machine_.advance(1);
  }
  EXPECT_EQ(perflib.state().sample->columns(), 28u) << "31 counters, of which 3 are bases";
}

TEST_F(Equality, HoldsWhileInstancesComeAndGo) {
  const auto provider = std::make_shared<FormulaProvider>(
      machine_, *parse_guid("11111111-0000-0000-0000-000000000001"), u"Changing",
      std::vector<FormulaProvider::Set>{every_type_set(v2::InstanceType::kSingleAggregateHistory)});
  Machine machine;
  machine.add(provider);
  SimulatedSampler registry(machine, {planned("Every Type History", CounterPath::kRegistry)});
  SimulatedSampler perflib(machine, {planned("Every Type History", CounterPath::kPerflib)});
  const auto expect_same_round = [&] {
    registry.round();
    perflib.round();
    ASSERT_NE(perflib.state().sample, nullptr) << perflib.all_problems();
    expect_equal(*registry.state().sample, *perflib.state().sample);
    machine.advance(1);
    machine_.advance(1);
  };
  expect_same_round();
  provider->instances(0).push_back({u"three", 3});
  expect_same_round();
  provider->instances(0).erase(provider->instances(0).begin());
  expect_same_round();
  provider->instances(0).clear();
  registry.round();
  perflib.round();
  EXPECT_EQ(registry.state().error->code, ErrorCode::kNoSuchObject);
  EXPECT_EQ(perflib.state().error->code, ErrorCode::kNotRunning);
}

}  // namespace
}  // namespace winperf::simulator
