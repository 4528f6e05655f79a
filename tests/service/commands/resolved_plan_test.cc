// What a configuration resolves to, on sources that are filled by hand.
#include "service/commands/resolved_plan.h"

#include <gmock/gmock.h>

#include <deque>
#include <expected>
#include <string>

#include "tests/collectors/sampling/fake_source.h"
#include "tests/support/block_builder.h"

namespace winperf {
namespace {

using testing::BlockBuilder;
using ::testing::ElementsAre;
using testing::FakeSource;
using testing::ObjectBuilder;

ObjectBuilder things() {
  return ObjectBuilder(5002)
      .counter({.index = 5004})
      .counter({.index = 5006})
      .instance({.name = u"a", .values = {1, 2}})
      .instance({.name = u"b", .values = {1, 2}})
      .instance({.name = u"_Total", .values = {2, 4}});
}

class ResolvedPlanTest : public ::testing::Test {
 protected:
  ResolvedPlanTest() {
    for (FakeSource* const source : {&here_, &there_}) {
      source->names = {{5002, u"Things"}, {5004, u"Read"}, {5006, u"Write"}, {5008, u"More"}};
      record(*source, {full()});
    }
    here_.named = "HERE";
    there_.named = "THERE";
  }
  static Bytes empty() { return BlockBuilder().bytes(); }
  static Bytes full() { return BlockBuilder().add(things()).bytes(); }
  // These samples, and then the end.
  static void record(FakeSource& source, std::deque<std::expected<Bytes, Error>> samples) {
    samples.emplace_back(
        std::unexpected(Error{.code = ErrorCode::kEndOfCapture, .where = "recording"}));
    source.replies["Global"] = std::move(samples);
  }
  static Config config(const std::string& countersets) {
    auto config =
        parse_config("{metrics: {values: raw}, countersets: [" + countersets + "]}", "test");
    EXPECT_TRUE(config);
    return config ? *std::move(config) : Config();
  }
  ResolvedPlan resolved(const std::string& countersets, bool two_machines = false) {
    SamplerSources sources{.registry = here_};
    if (two_machines) sources.other_machines = {&there_};
    return resolve_plan(sources, config(countersets), true, {});
  }

  FakeSource here_;
  FakeSource there_;
};

TEST_F(ResolvedPlanTest, CountsWhatIsSelectedAndWhatThereIs) {
  const ResolvedPlan plan =
      resolved("{name: Things, instances: {include: [a, _Total]}, counters: {include: [Read]}}");
  ASSERT_EQ(plan.countersets.size(), 1U);
  const ResolvedCounterset& things = plan.countersets[0];
  EXPECT_EQ(things.label, "Things");
  EXPECT_THAT(things.counters.shown, ElementsAre("Read"));
  EXPECT_THAT(things.instances.shown, ElementsAre("a"));
  EXPECT_THAT(things.instances.hidden, ElementsAre("_Total"));
  EXPECT_EQ(things.all_counters.size(), 2U);
  EXPECT_EQ(things.all_instances, 3U);
  EXPECT_EQ(things.series, 1U);
  EXPECT_EQ(plan.unresolved, "");
}

TEST_F(ResolvedPlanTest, OfTwoMachinesEachCountersetIsThereTwice) {
  record(here_, {empty()});
  const ResolvedPlan plan = resolved("Things, Nothing", true);
  ASSERT_EQ(plan.countersets.size(), 4U);
  const auto told = [&](std::size_t i) {
    const ResolvedCounterset& one = plan.countersets[i];
    return one.label + " on " + one.machine + ": " + (one.state->success ? "found" : "missing");
  };
  EXPECT_EQ(told(0), "Things on HERE: missing");
  EXPECT_EQ(told(1), "Things on THERE: found");
  EXPECT_EQ(told(2), "Nothing on HERE: missing");
  EXPECT_EQ(told(3), "Nothing on THERE: missing");
  EXPECT_EQ(plan.countersets[1].all_counters.size(), 2U);
  EXPECT_EQ(plan.countersets[0].all_counters.size(), 0U);
}

TEST_F(ResolvedPlanTest, EveryMachineIsReadToItsEnd) {
  record(here_, {empty()});
  record(there_, {empty(), empty(), full()});
  const ResolvedPlan plan = resolved("Things", true);
  EXPECT_FALSE(plan.countersets.at(0).state->success);
  EXPECT_TRUE(plan.countersets.at(1).state->success);
}

TEST_F(ResolvedPlanTest, ARecordingIsReadUntilEverythingWasFound) {
  record(here_, {empty(), empty(), full(), empty()});
  const ResolvedPlan plan = resolved("Things, Unknown");
  EXPECT_TRUE(plan.countersets.at(0).state->success);
  EXPECT_EQ(here_.asked.size(), 3U) << "no name means that nothing more will come";
}

TEST_F(ResolvedPlanTest, ARecordingThatEndsIsNotReadAnyFurther) {
  record(here_, {empty(), empty()});
  const ResolvedPlan plan = resolved("Things");
  EXPECT_EQ(plan.countersets.at(0).state->error->code, ErrorCode::kNoSuchObject);
  EXPECT_EQ(here_.asked.size(), 3U);
}

TEST_F(ResolvedPlanTest, ADamagedSampleOfARecordingCostsItselfAlone) {
  record(here_,
         {std::unexpected(Error{.code = ErrorCode::kTruncated, .where = "recording"}), full()});
  EXPECT_TRUE(resolved("Things").countersets.at(0).state->success);
}

TEST_F(ResolvedPlanTest, AStopEndsIt) {
  StopSource stop;
  stop.request_stop();
  const ResolvedPlan plan = resolve_plan({.registry = here_}, config("Things"), true, stop.token());
  ASSERT_EQ(plan.countersets.size(), 1U);
  EXPECT_FALSE(plan.countersets[0].state->success);
}

TEST(UnresolvedPlan, HasWhatTheFileSays) {
  const auto config = parse_config(
      "{path: registry, countersets: [A, {name: [B, C], path: perflib, interval: 9s}]}", "test");
  ASSERT_TRUE(config);
  const ResolvedPlan plan = unresolved_plan(*config, "why");
  EXPECT_EQ(plan.unresolved, "why");
  ASSERT_EQ(plan.countersets.size(), 2U);
  EXPECT_EQ(plan.countersets[0].path, CounterPath::kRegistry);
  EXPECT_EQ(plan.countersets[1].path, CounterPath::kPerflib);
  EXPECT_EQ(plan.countersets[1].label, "B");
  EXPECT_THAT(plan.countersets[1].names, ElementsAre("B", "C"));
  EXPECT_EQ(plan.countersets[1].interval, std::chrono::seconds(9));
  EXPECT_FALSE(plan.countersets[1].state);
}

}  // namespace
}  // namespace winperf
