// From one configuration to the next: which countersets go on.
#include "service/run/plan.h"

#include <gmock/gmock.h>

#include <string>

namespace winperf {
namespace {

using ::testing::ElementsAre;
using Continued = std::vector<std::optional<std::size_t>>;

Config config(const std::string& text) {
  auto parsed = parse_config(text, "test");
  EXPECT_TRUE(parsed) << text;
  return parsed ? *std::move(parsed) : Config{};
}

Continued continued(const std::string& before, const std::string& next) {
  Continued all;
  for (const PlanStep& step : make_plan(config(before), config(next)))
    all.push_back(step.continues);
  return all;
}

constexpr auto kAnew = std::nullopt;

TEST(ChangedPlan, SameCounterset_GoesOnWhereverItStands) {
  EXPECT_THAT(continued("countersets: [Memory, System]", "countersets: [System, TCPv4, Memory]"),
              ElementsAre(1u, kAnew, 0u));
}

TEST(ChangedPlan, AnotherInterval_GoesOn) {
  EXPECT_THAT(continued("countersets: [Memory]", "{stale_after: 30s, countersets: [Memory]}"),
              ElementsAre(0u));
  EXPECT_THAT(continued("countersets: [Memory]", "{interval: 30s, countersets: [Memory]}"),
              ElementsAre(0u));
  EXPECT_THAT(continued("countersets: [Memory]", "countersets: [{name: Memory, interval: 1m}]"),
              ElementsAre(0u));
}

// Without PerfLib for a moment, what it has is found in the registry.
TEST(ChangedPlan, HowDiscoveryHasFoundIt_DoesNotMatter) {
  Config before = config("countersets: [A]");
  before.countersets[0].object = 4;
  before.countersets[0].is_of_everything = true;
  const auto steps = make_plan(before, config("countersets: [A]"));
  ASSERT_EQ(steps.size(), 1U);
  EXPECT_EQ(steps[0].continues, 0U);
}

TEST(ChangedPlan, AnotherSelectionOrName_BeginsAnew) {
  const std::string before = "countersets: [{name: Process, instances: {include: [a]}}]";
  EXPECT_THAT(continued(before, before), ElementsAre(0u));
  for (const char* next : {"countersets: [{name: Process, instances: {include: [b]}}]",
                           "countersets: [{name: Process, counters: {include: [a]}}]",
                           "countersets: [{name: Process, instances: {include: [a], id: 3}}]",
                           "countersets: [{name: [Process, Thread], instances: {include: [a]}}]"})
    EXPECT_THAT(continued(before, next), ElementsAre(kAnew)) << next;
}

TEST(ChangedPlan, AnotherPath_BeginsAnewAndOnlyWhereItHolds) {
  const std::string next = "{path: registry, countersets: [Memory, {name: System, path: auto}]}";
  EXPECT_THAT(continued("countersets: [Memory, System]", next), ElementsAre(kAnew, 1u));
}

TEST(ChangedPlan, AnotherWayToCook_BeginsAnew) {
  EXPECT_THAT(continued("countersets: [Memory]",
                        "{metrics: {cap_percentages: true}, countersets: [Memory]}"),
              ElementsAre(kAnew));
}

TEST(Plan, OfAPathAsksForTheNamesThatAreDelivered) {
  const auto plan =
      make_plan(config("countersets: ['\\A(x*)\\b', '\\A(x#1)\\b', '\\A(*)\\b', '\\A(p/x)']"));
  ASSERT_EQ(plan.size(), 4u);
  EXPECT_EQ(plan[0].selection.instance_pattern, "x*");
  EXPECT_TRUE(plan[0].selection.by_display_name);
  EXPECT_EQ(plan[1].selection.instance_pattern, "*") << "a number is perfmon's alone";
  EXPECT_FALSE(plan[2].selection.by_display_name);
  EXPECT_FALSE(plan[2].selection.counters("c"));
  EXPECT_TRUE(plan[2].selection.counters("B"));
  EXPECT_EQ(plan[3].selection.instance_pattern, "*") << "a parent is not delivered with the name";
}

TEST(Plan, OfANameIsThatOfAnEntryByItself) {
  const Config settings = config("{path: registry, metrics: {cap_percentages: true}}");
  const PlannedCounterset planned = plan_named("\\A(x)\\b", settings);
  EXPECT_THAT(planned.names, ElementsAre("A"));
  EXPECT_EQ(planned.label, "\\A(x)\\b");
  EXPECT_EQ(planned.path, CounterPath::kRegistry);
  EXPECT_TRUE(planned.selection.cook.cap_percent);
  EXPECT_TRUE(planned.selection.instances("X"));
}

// PerfLib is asked for what these say (make_request()).
TEST(Plan, HasWhatAProviderCanBeAskedForInsteadOfEverything) {
  const auto plan = make_plan(config(
      "countersets: [Memory,"
      " {name: Waits, instances: {include: ['sql.*'], id: 3}, counters: {include: [Waits/sec]}},"
      " {name: Locks, instances: {include: [a, b]}, counters: {include: [x, y]}}]"));
  ASSERT_EQ(plan.size(), 3u);
  const Selection& all = plan[0].selection;
  EXPECT_EQ(all.instance_pattern, "*");
  EXPECT_EQ(all.instance_id, std::nullopt);
  EXPECT_EQ(all.one_counter, std::nullopt);
  const Selection& few = plan[1].selection;
  EXPECT_EQ(few.instance_pattern, "sql*");
  EXPECT_EQ(few.instance_id, 3u);
  EXPECT_EQ(few.one_counter, "Waits/sec");
  const Selection& several = plan[2].selection;
  EXPECT_EQ(several.instance_pattern, "*") << "two expressions are no wildcard";
  EXPECT_EQ(several.one_counter, std::nullopt);
}

TEST(Plan, NeedsNobodyToTellOfAPatternThatGivesUp) {
  const auto plan = make_plan(
      config("countersets: [{name: Process, instances: {include: ['(?:a|a|aa)+[bc]']}}]"));
  ASSERT_EQ(plan.size(), 1u);
  EXPECT_FALSE(plan[0].selection.instances(std::string(200, 'a')));
}

TEST(Plan, TellsOfAPatternThatGivesUp) {
  std::vector<std::string> told;
  const auto plan = make_plan(
      config("countersets: [{name: Process, instances: {include: ['(?:a|a|aa)+[bc]']}}, Memory]"),
      [&](const std::string& counterset) { told.push_back(counterset); });
  ASSERT_EQ(plan.size(), 2u);
  EXPECT_TRUE(plan[0].selection.instances("aab"));
  EXPECT_TRUE(told.empty());
  EXPECT_FALSE(plan[0].selection.instances(std::string(200, 'a')));
  EXPECT_THAT(told, ElementsAre("Process"));
}

}  // namespace
}  // namespace winperf
