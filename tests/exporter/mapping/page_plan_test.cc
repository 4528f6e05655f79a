#include "exporter/mapping/page_plan.h"

#include <gmock/gmock.h>

#include <algorithm>

#include "tests/exporter/support/sample_builder.h"

namespace winperf {
namespace {

using namespace testing;  // NOLINT: builders of this room's tests
using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::vector<std::string> names_of(const PagePlan& plan) {
  std::vector<std::string> names;
  for (const PageFamily& family : plan.families) names.push_back(family.name);
  return names;
}

TEST(PagePlan_OfASample, HasItsFamiliesSortedByName) {
  Mapper mapper{{}};
  const PagePlan& plan = mapper.plan(*typical_sample(1));
  EXPECT_THAT(
      names_of(plan),
      ElementsAre("winperf_cpu_interrupts_per_second", "winperf_cpu_interrupts_total",
                  "winperf_cpu_processor_time_idle_seconds_total",
                  "winperf_cpu_processor_time_percent", "winperf_memory_available_bytes",
                  "winperf_memory_page_faults_per_second", "winperf_memory_page_faults_total"));
  EXPECT_EQ(plan.row_sets.at(plan.families[1].sources.at(0).rows).counterset, 0U);
  EXPECT_EQ(plan.families[1].sources.at(0).value.column, 1U);
  EXPECT_EQ(plan.families[1].help,
            "What it is (running total). "
            "[Processor\\Interrupts/sec, PERF_COUNTER_COUNTER, 238/148]");
}

TEST(PagePlan_OfTheSameSchemas, KeepsTheirMappings) {
  Mapper mapper{{}};
  const auto first = typical_sample(1);
  const auto kept = mapper.plan(*first).objects;
  auto second = std::make_shared<Sample>(*first);
  second->countersets[1] = state("Memory", values(object("Memory", {})));
  const auto& after = mapper.plan(*second).objects;
  EXPECT_EQ(kept[0], after[0]);
  EXPECT_NE(kept[1], after[1]);
}

TEST(PagePlan_OfOneObjectInTwoCountersets, SharesItsFamilies) {
  auto both = typical_sample(1);
  both->countersets.push_back(both->countersets[0]);
  Mapper mapper{{}};
  const PagePlan& plan = mapper.plan(*both);
  EXPECT_EQ(plan.families.size(), 7U);
  EXPECT_EQ(plan.families[2].sources.size(), 2U);
  for (const FamilySource& source : plan.families[2].sources) EXPECT_TRUE(source.may_repeat);
}

// Each machine of a recording has its own.
TEST(PagePlan_OfAnObjectAndItsSuccessorOnTwoMachines, GivesBothTheName) {
  const auto on = [](const char* machine, const char* name) {
    CountersetSample interrupts =
        values(object(name, {counter("Interrupts/sec", kBulkCount)}, true));
    CountersetState found = state(name, interrupts);
    found.machine = machine;
    return found;
  };
  Mapper mapper{{.values = MetricValues::kRaw}};
  const PagePlan& plan =
      mapper.plan(*sample(1, {on("A", "Processor Information"), on("B", "Processor")}));
  ASSERT_THAT(names_of(plan), ElementsAre("winperf_cpu_interrupts_total"));
  EXPECT_EQ(plan.families[0].sources.size(), 2U);
}

TEST(PagePlan_OfCountersThatShareAFamily, HasASourceForEach) {
  const auto disks = sample(
      1, {state("d", values(object("PhysicalDisk", {counter("Disk Reads/sec", kBulkCount),
                                                    counter("Disk Writes/sec", kBulkCount)})))});
  Mapper mapper{{.values = MetricValues::kRaw}};
  const PagePlan& plan = mapper.plan(*disks);
  ASSERT_THAT(names_of(plan), ElementsAre("winperf_physical_disk_transfers_total"));
  const PageFamily& family = plan.families[0];
  ASSERT_EQ(family.sources.size(), 2U);
  EXPECT_EQ(family.sources[1].labels, "direction=\"write\"");
  EXPECT_EQ(family.sources[1].value.column, 1U);
  EXPECT_FALSE(family.sources[1].may_repeat);
  EXPECT_EQ(family.help,
            "Reads and writes that the disk completed (running total, by direction). "
            "What it is. [PhysicalDisk\\Disk Reads/sec, PERF_COUNTER_BULK_COUNT, 238/6] "
            "What it is. [PhysicalDisk\\Disk Writes/sec, PERF_COUNTER_BULK_COUNT, 238/6]");
}

TEST(PagePlan_OfTwoProtocols, HasOneFamilyForBoth) {
  const auto segments = [](const char* name) {
    return state(name, values(object(name, {counter("Segments Sent/sec", kBulkCount)})));
  };
  Mapper mapper{{.values = MetricValues::kRaw}};
  const PagePlan& plan = mapper.plan(*sample(1, {segments("TCPv4"), segments("TCPv6")}));
  ASSERT_THAT(names_of(plan), ElementsAre("winperf_tcp_segments_total"));
  ASSERT_EQ(plan.families[0].sources.size(), 2U);
  EXPECT_EQ(plan.families[0].sources[1].labels, "af=\"ipv6\",direction=\"sent\"");
}

TEST(PagePlan_OfAFamilyWithTwoIntervals, NamesBothInHelp) {
  const auto segments = [](const char* name, int seconds) {
    CountersetState found =
        state(name, values(object(name, {counter("Segments Sent/sec", kBulkCount)})));
    found.interval = std::chrono::seconds(seconds);
    return found;
  };
  Mapper mapper{{.values = MetricValues::kCooked}};
  const PagePlan& plan = mapper.plan(*sample(1, {segments("TCPv4", 5), segments("TCPv6", 15)}));
  ASSERT_EQ(plan.families.size(), 1U);
  EXPECT_EQ(plan.families[0].help,
            "TCP segments received and sent "
            "(rate per second between the last two samples, 5 s apart, by direction). "
            "What it is. [TCPv4\\Segments Sent/sec, PERF_COUNTER_BULK_COUNT, 238/6] "
            "TCP segments received and sent "
            "(rate per second between the last two samples, 15 s apart, by direction). "
            "What it is. [TCPv6\\Segments Sent/sec, PERF_COUNTER_BULK_COUNT, 238/6]");
}

TEST(PagePlan_OfAnObjectAndItsSuccessor, GivesTheNameToTheNewer) {
  const auto user_time = [](const char* name) {
    return state(name, values(object(name, {counter("% User Time", k100nsTimer)}, true)));
  };
  Mapper mapper{{.values = MetricValues::kRaw}};
  const auto alone = sample(1, {user_time("Processor")});
  EXPECT_THAT(names_of(mapper.plan(*alone)), ElementsAre("winperf_cpu_time_seconds_total"));
  auto both = std::make_shared<Sample>(*alone);
  both->countersets.push_back(user_time("Processor Information"));
  EXPECT_THAT(names_of(mapper.plan(*both)), ElementsAre("winperf_cpu_time_seconds_total",
                                                        "winperf_legacy_cpu_time_seconds_total"));
}

TEST(PagePlan_OfAChangedInterval, SaysSoInHelp) {
  const auto pages = typical_sample(1);
  Mapper mapper{{.values = MetricValues::kCooked}};
  const auto help = [&](int seconds) {
    auto changed = std::make_shared<Sample>(*pages);
    changed->countersets[0].interval = std::chrono::seconds(seconds);
    return mapper.plan(*changed).families[0].help;
  };
  EXPECT_THAT(help(5), HasSubstr("samples, 5 s apart)."));
  EXPECT_THAT(help(7), HasSubstr("samples, 7 s apart)."));
  EXPECT_THAT(help(0), HasSubstr("between the last two samples)."));
}

TEST(PagePlan_OfObjectsWhoseNamesMeet, KeepsTheFamiliesApart) {
  const auto clash = sample(
      1, {state("a", values(object("Foo Bar", {counter("Baz", kRawCount)}))),
          state("b", values(object("Foo", {counter("Bar Baz", kRawCount)}))), CountersetState{}});
  Mapper mapper{{}};
  const PagePlan& plan = mapper.plan(*clash);
  ASSERT_EQ(plan.families.size(), 2U);
  EXPECT_EQ(plan.families[0].name, "winperf_foo_bar_baz");
  EXPECT_EQ(plan.row_sets.at(plan.families[0].sources[0].rows).counterset, 0U);
  EXPECT_EQ(plan.objects[2], nullptr);
}

}  // namespace
}  // namespace winperf
