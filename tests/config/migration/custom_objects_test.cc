#include "config/migration/selection.h"

#include <gmock/gmock.h>

namespace winperf::migration {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

struct CustomEntries {
  std::vector<Entry> entries;
  std::vector<std::string> lost;
};

CustomEntries custom(const std::string& objects) {
  const Settings settings{
      {.key = "collector.performancecounter.objects", .values = {objects}, .place = "--o"}};
  Progress progress(settings);
  CustomEntries result{.entries = custom_objects(progress), .lost = {}};
  for (const Message& message : progress.messages()) result.lost.push_back(message.text);
  return result;
}

// Learnt from docs/collector.performancecounter.md of windows_exporter.
TEST(DefaultMetricName, IsThatOfWindowsExporter) {
  EXPECT_EQ(default_metric_name("Memory", "Cache Faults/sec"),
            "windows_performancecounter_memory_cache_faults_sec");
  EXPECT_EQ(default_metric_name("Processor Information", "% Processor Time"),
            "windows_performancecounter_processor_information_percent_processor_time");
  EXPECT_EQ(default_metric_name("SQLServer:X", "Ratio (avg) - ms."),
            "windows_performancecounter_sqlserver_x_ratio_avg___ms");
}

TEST(CustomObjects, HaveWhatIsGiven) {
  const auto [entries, lost] = custom(R"(
- object: A
- object: B
  instance_label: core
  instances: ["", i, "w*"]
  counters: [{name: "% x", metric: m, type: counter, labels: {a: b}}, {name: y}]
- {object: C, type: formatted, counters: [{name: z, type: gauge}]}
)");
  EXPECT_THAT(lost, IsEmpty());
  ASSERT_THAT(entries, SizeIs(3));
  EXPECT_THAT(entries[0].names, ElementsAre("A"));
  EXPECT_THAT(entries[0].instances.include, IsEmpty());
  EXPECT_THAT(entries[0].counters, IsEmpty());
  EXPECT_THAT(entries[1].instances.include, ElementsAre("(?i)i", "(?i)w.*"));
  EXPECT_THAT(entries[1].counters, ElementsAre("(?i)% x", "(?i)y"));
  EXPECT_EQ(entries[1].instance_label, "core");
  ASSERT_THAT(entries[1].metrics, SizeIs(2));
  EXPECT_EQ(entries[1].metrics[0].name, "m");
  EXPECT_EQ(entries[1].metrics[0].type, "counter");
  EXPECT_THAT(entries[1].metrics[0].labels, ElementsAre("\"a\": \"b\""));
  EXPECT_EQ(entries[1].metrics[1].name, "windows_performancecounter_b_y");
  EXPECT_FALSE(entries[1].metrics[1].is_cooked);
  EXPECT_TRUE(entries[2].metrics[0].is_cooked);
  EXPECT_EQ(entries[2].comment, "performancecounter");
}

TEST(CustomObjects, AllInstances_AreThoseWithoutTotalsUnlessItIsNamed) {
  EXPECT_THAT(custom("- {object: A, instances: ['*']}").entries[0].instances.include, IsEmpty());
  EXPECT_THAT(custom("- {object: A, instances: ['*', _Total]}").entries[0].instances.include,
              ElementsAre(".*"));
  for (const char* const total : {"_total", "'0,_Total'", "svchost/_Total"})
    EXPECT_THAT(custom("- {object: A, instances: ['*', " + std::string(total) + "]}")
                    .entries[0]
                    .instances.include,
                ElementsAre(".*"))
        << total;
  for (const char* const other : {"Orders_Total", "App_Total", "'a,b,_Total'"})
    EXPECT_THAT(custom("- {object: A, instances: ['*', " + std::string(other) + "]}")
                    .entries[0]
                    .instances.include,
                IsEmpty())
        << other;
  EXPECT_THAT(custom("- {object: A, instances: [_Total]}").entries[0].instances.include,
              ElementsAre("(?i)_Total"));
}

TEST(CustomObjects, OfOlderVersions_HaveCountersAsKeys) {
  const auto entries = custom(R"([{"object":"A","counters":{"% x":{},"y":{}}}])").entries;
  ASSERT_THAT(entries, SizeIs(1));
  EXPECT_THAT(entries[0].counters, ElementsAre("(?i)% x", "(?i)y"));
  EXPECT_EQ(entries[0].metrics[0].name, "windows_performancecounter_a_percent_x");
}

TEST(CustomObjects, WhatIsWrongWithOne_CostsItselfAlone) {
  const auto [entries, lost] = custom(R"(
- name: A
- {object: B, odd: 1, type: half, instance_label: 1a, counters: [{metric: m}, {name: x, metric: 1m},
   {name: y, type: up, more: 1, labels: {instance: a, __b: c, d: e}}]}
- {object: [C]}
)");
  EXPECT_THAT(
      lost, ElementsAre(
                HasSubstr("an entry has no \"object\""), HasSubstr("\"odd\" is unknown"),
                HasSubstr("\"instance\" was used, because \"1a\" cannot be a label"),
                HasSubstr("\"half\" is neither raw nor formatted"),
                HasSubstr("a counter has no \"name\""),
                HasSubstr("\"1m\" cannot be the name of a metric"),
                HasSubstr("\"more\" is unknown"), HasSubstr("\"up\" is neither counter nor gauge"),
                HasSubstr("this label was left out, because \"instance\" names the instance"),
                HasSubstr("\"__b\" cannot be a label")));
  ASSERT_THAT(entries, SizeIs(1));
  ASSERT_THAT(entries[0].metrics, SizeIs(1));
  EXPECT_THAT(entries[0].metrics[0].labels, ElementsAre("\"d\": \"e\""));
}

TEST(CustomObjects, ThatAreNone_AreLost) {
  for (const char* objects : {"object: A", "A", "{}"})
    EXPECT_THAT(
        custom(objects).lost,
        ElementsAre(HasSubstr(
            "--o: none of its objects were converted, because this must be a list of objects")))
        << objects;
  EXPECT_THAT(custom("- object: a\n   b: c\n").lost, SizeIs(1));
  EXPECT_THAT(custom("").lost, IsEmpty());
}

}  // namespace
}  // namespace winperf::migration
