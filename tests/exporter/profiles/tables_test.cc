// What holds for all tables together. exporter/profiles/compile checks each line.
#include <gmock/gmock.h>

#include <map>
#include <set>
#include <string>

#include "config/collectors.h"
#include "exporter/profiles/collector.h"
#include "exporter/profiles/name_template.h"
#include "exporter/profiles/profile.h"

namespace winperf {
namespace {

constexpr MetricProfile kProfiles[] = {MetricProfile::kWindowsExporter,
                                       MetricProfile::kWindowsExporterLegacy};

TEST(ProfileTables, HaveRowsForEachProfileButOurOwn) {
  EXPECT_TRUE(profile_blocks(MetricProfile::kWinperf).empty());
  for (const MetricProfile profile : kProfiles) EXPECT_FALSE(profile_blocks(profile).empty());
}

// Both may be on one page.
TEST(ProfileTables, ShareNoMetric) {
  std::map<std::string_view, MetricProfile> owner;
  for (const MetricProfile profile : kProfiles)
    for (const ProfileBlock& block : profile_blocks(profile))
      for (const ProfileRow& row : block.rows)
        EXPECT_EQ(owner.try_emplace(row.metric, profile).first->second, profile) << row.metric;
}

// Whoever has the label that a series has can't be without it in another one of the metric.
TEST(ProfileTables, GiveTheSeriesOfAMetricTheSameLabelsAndType) {
  const auto names_in = [](std::set<std::string>& names, std::string_view labels) {
    for (const LabelPart& label : parse_labels(labels)) names.insert(label.name);
  };
  // Zone transfers are told apart by their protocol where it is known.
  const std::set<std::string_view> exceptions{"windows_dns_zone_transfer_success_received_total"};
  for (const MetricProfile profile : kProfiles) {
    std::map<std::string_view, std::pair<bool, std::set<std::string>>> known;
    for (const ProfileBlock& block : profile_blocks(profile))
      for (const ProfileObject& object : block.objects)
        for (const ProfileRow& row : block.rows) {
          std::set<std::string> names;
          for (const std::string& name : labels_of_template(object.name)) names.insert(name);
          for (const std::string_view pattern : block.instances)
            for (const std::string& name : labels_of_template(pattern)) names.insert(name);
          if (block.process_id) names.insert("process_id");
          names_in(names, object.labels);
          names_in(names, row.labels);
          if (exceptions.contains(row.metric)) names.erase("protocol");
          const std::pair series(row.is_counter, names);
          EXPECT_EQ(known.try_emplace(row.metric, series).first->second, series) << row.metric;
        }
  }
}

// Each template of a block gives the same labels, so that no series lacks one.
TEST(ProfileTables, GiveEveryInstanceOfABlockTheSameLabels) {
  for (const MetricProfile profile : kProfiles)
    for (const ProfileBlock& block : profile_blocks(profile))
      for (const std::string_view pattern : block.instances)
        EXPECT_EQ(labels_of_template(pattern), labels_of_template(block.instances.front()))
            << block.collector << ' ' << pattern;
}

// `collect: [name]` samples what the profile needs.
TEST(ProfileTables, ReadWhatTheSetOfTheCollectorSamples) {
  for (const MetricProfile profile : kProfiles)
    for (const ProfileBlock& block : profile_blocks(profile)) {
      const Collector* const collector = find_collector(block.collector);
      ASSERT_NE(collector, nullptr) << block.collector;
      // What older versions gave a name of its own comes from the countersets of others.
      if (collector->name == "os" || collector->name == "cs") continue;
      const auto is_read = [&](const ProfileObject& object) {
        for (const ReadObject& read : collector->objects)
          for (const std::string& name : alternatives_of(read))
            if (match_name(object.name, name)) return true;
        return false;
      };
      EXPECT_TRUE(std::ranges::any_of(block.objects, is_read))
          << block.collector << ' ' << block.objects.front().name;
    }
}

TEST(CollectorNames, AreThoseWhoseTablesNameTheObject) {
  using ::testing::ElementsAre;
  using ::testing::IsEmpty;
  EXPECT_THAT(collectors_of("processor information"), ElementsAre(ReadBy{"cpu", "", {}}));
  EXPECT_THAT(collectors_of("MSSQL$PAYROLL:Databases"),
              ElementsAre(ReadBy{"mssql", "databases", {{"mssql_instance", "PAYROLL"}}}));
  EXPECT_THAT(collectors_of("SQLServer:Databases"),
              ElementsAre(ReadBy{"mssql", "databases", {{"mssql_instance", "MSSQLSERVER"}}}));
  EXPECT_THAT(collectors_of("TCPv6"), ElementsAre(ReadBy{"tcp", "", {{"af", "ipv6"}}}));
  EXPECT_THAT(collectors_of("Nothing"), IsEmpty());
}

TEST(CollectorTables, HaveAHomeForEachTopicOfFacts) {
  for (const FactTopicInfo& info : kFactTopics) {
    const auto topics = topics_of(collector_of(info.topic));
    EXPECT_NE(std::ranges::find(topics, info.topic), topics.end()) << info.name;
  }
  EXPECT_EQ(collector_of(FactTopic::kOs), "os") << "cs and system read it, too";
  EXPECT_EQ(collector_of(FactTopic::kServiceStatus), "service");
  EXPECT_EQ(collector_of(FactTopic::kLogons), "logon");
}

TEST(CollectorTables, SayWhichCollectorsOlderVersionsHad) {
  using ::testing::IsEmpty;
  using ::testing::SizeIs;
  const Collector* const jit = find_collector("netframework_clrjit");
  ASSERT_NE(jit, nullptr);
  ASSERT_THAT(jit->objects, SizeIs(1));
  EXPECT_EQ(jit->objects[0].name, ".NET CLR Jit");
  EXPECT_EQ(jit->objects[0].part, "") << "it is all that the collector reads";
  const Collector* const node = find_collector("mscluster_node");
  ASSERT_NE(node, nullptr);
  EXPECT_EQ(node->missing[0].what, find_collector("mscluster")->missing[0].what);
  EXPECT_THAT(find_collector("perfdata")->objects, IsEmpty());
  EXPECT_THAT(default_collectors(), SizeIs(8));
}

}  // namespace
}  // namespace winperf
