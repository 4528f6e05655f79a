// What becomes of a query handle: one call serves all of its queries, what nobody wants any more is
// deleted from it, and what goes wrong with one query costs the others nothing.
#include <gtest/gtest.h>

#include <chrono>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "tests/simulator/codes.h"
#include "tests/simulator/path_pair.h"
#include "tests/simulator/standard_machine.h"
#include "tests/simulator/user_provider.h"

namespace winperf::simulator {
namespace {

// The Processor Information counterset with a filter of its own, so that masks tell it apart.
PlannedCounterset processors(std::string pattern) {
  PlannedCounterset counterset = planned("Processor Information", CounterPath::kPerflib);
  counterset.selection.instance_pattern = std::move(pattern);
  return counterset;
}

using Names = std::vector<std::string>;

class QueryHandle : public ::testing::Test {
 protected:
  QueryHandle() { furnish(machine_); }

  static Names masks(SimulatedSampler& sampler) {
    Names names;
    for (const Mask& mask : sampler.perflib().masks()) names.push_back(utf8(mask.instance_name));
    return names;
  }

  static Names instances(const CountersetState& state) {
    Names names;
    for (const InstanceSchema& instance : state.sample->instances->instances)
      names.push_back(instance.name);
    return names;
  }

  // % Processor Time of the first instance has a value that needs the sample before.
  void expect_no_gap(SimulatedSampler& sampler) {
    machine_.advance(1);
    sampler.round();
    ASSERT_TRUE(sampler.state().success) << sampler.all_problems();
    const CountersetSample& sample = *sampler.state().sample;
    EXPECT_EQ(sample.instances->instances.at(0).name, "1,0");
    EXPECT_EQ(sample.reason[0], NoValue::kNone);
  }

  Machine machine_;
};

TEST_F(QueryHandle, IsAskedOnceARoundForAllOfItsQueries) {
  SimulatedSampler sampler(machine_, {processors("0,*"), processors("1,0"), planned("Every Type")});
  sampler.round();
  const PerflibFace::Calls before = sampler.perflib().calls();
  sampler.round();
  sampler.round();
  const PerflibFace::Calls after = sampler.perflib().calls();
  EXPECT_EQ(after.data - before.data, 2);
  EXPECT_EQ(after.info, before.info);
  EXPECT_EQ(after.open, 1);
  // Each query has the answer to it, whatever their order.
  EXPECT_EQ(instances(sampler.state(0)), (Names{"0,_Total", "0,1", "0,0"}));
  EXPECT_EQ(instances(sampler.state(1)), Names{"1,0"});
}

TEST_F(QueryHandle, StaysWhereOneQueryIsRefused) {
  const Guid guid = *parse_guid("44444444-0000-0000-0000-000000000001");
  auto provider = std::make_shared<UserProvider>(
      *parse_guid("44444444-0000-0000-0000-0000000000ff"), u"Reluctant",
      std::vector<CountersetDefinition>{
          {.guid = guid, .name = u"Reluctant", .counters = {{.id = 1, .name = u"Count"}}}});
  machine_.add(provider);
  provider->create_instance({guid, u"one", 1});
  provider->refuse_additions(kAccessDenied);
  SimulatedSampler sampler(machine_,
                           {processors("1,0"), planned("Reluctant", CounterPath::kPerflib)});
  sampler.round();
  ASSERT_FALSE(sampler.state(1).success);
  EXPECT_EQ(sampler.state(1).error->code, ErrorCode::kAccessDenied);
  provider->refuse_additions(kSuccess);
  expect_no_gap(sampler);
  EXPECT_TRUE(sampler.state(1).success) << "it is tried again each round";
  EXPECT_EQ(sampler.perflib().calls().open, 1);
  EXPECT_EQ(sampler.perflib().calls().close, 0);
}

TEST_F(QueryHandle, LosesWhatNobodyWants) {
  // The first one's result comes first, so that the other one's moves up.
  SimulatedSampler sampler(machine_, {processors("0,*"), processors("1,0")});
  sampler.round();
  ASSERT_EQ(masks(sampler), (Names{"0,*", "1,0"}));
  sampler.change_plan({{.planned = processors("1,0"), .continues = 1}});
  const PerflibFace::Calls calls = sampler.perflib().calls();
  expect_no_gap(sampler);
  EXPECT_EQ(masks(sampler), Names{"1,0"});
  EXPECT_EQ(sampler.perflib().calls().remove, 1);
  EXPECT_EQ(sampler.perflib().calls().data, calls.data + 1) << "it is removed before that";
  EXPECT_EQ(sampler.perflib().calls().info, calls.info + 1) << "the order is asked for anew";
  EXPECT_EQ(sampler.perflib().calls().open, 1);
  EXPECT_EQ(sampler.perflib().calls().close, 0);
}

TEST_F(QueryHandle, KeepsWhatAnotherOneShares) {
  SimulatedSampler sampler(machine_, {processors("1,0"), processors("1,0")});
  sampler.round();
  ASSERT_EQ(masks(sampler), Names{"1,0"});
  sampler.change_plan({{.planned = processors("1,0"), .continues = 1}});
  EXPECT_EQ(sampler.perflib().calls().remove, 0);
  expect_no_gap(sampler);
  sampler.change_plan({{.planned = planned("System")}});
  EXPECT_EQ(sampler.perflib().open_queries(), 0u);
}

TEST_F(QueryHandle, IsAnotherOneForAnotherInterval) {
  SimulatedSampler sampler(machine_, {processors("1,0")});
  sampler.round();
  PlannedCounterset slower = processors("1,0");
  slower.interval = std::chrono::seconds(2);
  sampler.change_plan({{.planned = slower, .continues = 0}});
  sampler.pass(std::chrono::seconds(1));
  expect_no_gap(sampler);
  EXPECT_EQ(sampler.perflib().calls().close, 1);
  EXPECT_EQ(sampler.perflib().calls().open, 2);
  EXPECT_EQ(masks(sampler), Names{"1,0"}) << "it is asked for once";
}

// The call as a whole fails, or it succeeds and the identifier's Status says no: nothing may go on
// being collected that nobody wants.
TEST_F(QueryHandle, IsGivenUpWhereItDoesNotLetGo) {
  for (const Point point : {Point::kDelete, Point::kDeleteStatus}) {
    SCOPED_TRACE(point == Point::kDelete ? "the call" : "the status");
    SimulatedSampler sampler(machine_, {processors("0,*"), processors("1,0")});
    sampler.round();
    machine_.faults.fail(point, kInvalidParameter);
    sampler.change_plan({{.planned = processors("1,0"), .continues = 1}});
    expect_no_gap(sampler);
    EXPECT_EQ(sampler.perflib().open_queries(), 1u);
    EXPECT_EQ(masks(sampler), Names{"1,0"});
    EXPECT_EQ(sampler.perflib().calls().open, 2);
  }
}

}  // namespace
}  // namespace winperf::simulator
