// From one configuration to the next: which countersets go on.
#include "service/plan/plan.h"

#include <gmock/gmock.h>

#include <string>

namespace winperf {
namespace {

using ::testing::ElementsAre;
using Continued = std::vector<std::optional<std::size_t>>;

Config config(const std::string& text) {
  auto parsed = parse_config(text, "test");
  EXPECT_TRUE(parsed) << text;
  if (!parsed) return {};
  return *std::move(parsed);
}

Continued continued(const std::string& before, const std::string& next) {
  Continued all;
  for (const PlanStep& step : make_plan(config(before), config(next)))
    all.push_back(step.continues);
  return all;
}

constexpr auto kAnew = std::nullopt;

CounterSchema counter(std::string name, std::string local_name = {}) {
  CounterSchema schema;
  schema.name = std::move(name);
  schema.local_name = std::move(local_name);
  return schema;
}

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
  EXPECT_FALSE(plan[2].selection.counters(counter("c")));
  EXPECT_TRUE(plan[2].selection.counters(counter("B")));
  EXPECT_EQ(plan[3].selection.instance_pattern, "*") << "a parent is not delivered with the name";
}

TEST(Plan, AnotherLimitOrLabel_BeginsAnew) {
  const std::string before =
      "countersets: [{name: A, instances: {max: 3, by: b, labels: '(?<x>.)'}}]";
  EXPECT_THAT(continued(before, before), ElementsAre(0u));
  for (const char* next :
       {"countersets: [{name: A, instances: {max: 2, by: b, labels: '(?<x>.)'}}]",
        "countersets: [{name: A, instances: {max: 3, by: c, labels: '(?<x>.)'}}]",
        "countersets: [{name: A, instances: {max: 3, by: b, labels: '(?<y>.)'}}]",
        "countersets: [{name: A, instances: {max: 3, by: b}}]"})
    EXPECT_THAT(continued(before, next), ElementsAre(kAnew)) << next;
}

TEST(Plan, CountersMayBeCalledByTheirLocalNames) {
  const CounterSchema time = counter("% Processor Time", "Prozessorzeit (%)");
  const CounterSchema idle = counter("% Idle Time", "Leerlaufzeit (%)");
  const auto plan =
      make_plan(config("countersets: ['\\A(*)\\Prozessorzeit (%)', '\\B(*)\\% idle time',"
                       " {name: C, counters: {exclude: ['Leerlauf.*']}},"
                       " {name: D, counters: {include: ['% .*'], exclude: ['Leerlauf.*']}}]"));
  ASSERT_EQ(plan.size(), 4u);
  EXPECT_TRUE(plan[0].selection.counters(time));
  EXPECT_FALSE(plan[0].selection.counters(idle));
  EXPECT_FALSE(plan[1].selection.counters(time));
  EXPECT_TRUE(plan[1].selection.counters(idle)) << "English names always work";
  for (const std::size_t excluding : {2u, 3u}) {
    EXPECT_TRUE(plan[excluding].selection.counters(time));
    EXPECT_FALSE(plan[excluding].selection.counters(idle)) << "whichever name is excluded";
  }
}

TEST(Plan, OfTheBusiestInstancesHasTheCounterThatSaysWhichTheyAre) {
  const auto plan = make_plan(
      config("countersets: [{name: A, instances: {max: 3, by: Rank}, counters: {include: [B]}},"
             " {name: C, instances: {max: 3, by: B}, counters: {include: [B]}},"
             " {name: '\\D(*)\\B', instances: {max: 3, by: Rank}}]"));
  ASSERT_EQ(plan.size(), 3u);
  for (const std::size_t other : {0u, 2u}) {
    const Selection& selection = plan[other].selection;
    EXPECT_TRUE(selection.counters(counter("B")));
    EXPECT_TRUE(selection.counters(counter("rank")));
    EXPECT_TRUE(selection.counters(counter("x", "Rank")));
    EXPECT_FALSE(selection.counters(counter("C")));
    EXPECT_EQ(selection.one_counter, std::nullopt);
    EXPECT_EQ(selection.limit->instances, 3u);
    EXPECT_EQ(selection.limit->by, "Rank");
  }
  EXPECT_EQ(plan[1].selection.one_counter, "B");
}

TEST(Plan, LabelsAreWhatNamedGroupsMatch) {
  std::vector<std::string> abandoned;
  const auto plan = make_plan(
      config("countersets: [{name: A, instances: {labels: '(?<pid>\\d+)_(?<pool>[^_]*)(_.*)?'}},"
             " {name: B, instances: {labels: '(?<x>(?:a|a|aa)+)[bc]'}}, C]"),
      [&](const std::string& counterset) { abandoned.push_back(counterset); });
  const auto labels = [&](std::size_t i, std::string_view name) {
    return plan.at(i).selection.labels(name);
  };
  EXPECT_THAT(labels(0, "12_Pool_x"),
              ElementsAre(InstanceLabel{"pid", "12"}, InstanceLabel{"pool", "Pool"}));
  EXPECT_THAT(labels(0, "12_"), ElementsAre(InstanceLabel{"pid", "12"}));
  EXPECT_THAT(labels(0, "_Total"), ElementsAre());
  EXPECT_THAT(abandoned, ElementsAre());
  EXPECT_THAT(labels(1, std::string(100, 'a')), ElementsAre());
  EXPECT_THAT(abandoned, ElementsAre("B"));
  EXPECT_FALSE(plan[2].selection.labels);
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
