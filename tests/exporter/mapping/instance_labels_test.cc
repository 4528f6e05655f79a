#include "exporter/mapping/instance_labels.h"

#include <gmock/gmock.h>

#include "tests/exporter/support/sample_builder.h"

namespace winperf {
namespace {

using namespace testing;  // NOLINT: builders of this room's tests
using ::testing::Contains;
using ::testing::ElementsAre;

std::vector<std::string> names_of(const InstanceSet& set, const MappingOptions& options = {},
                                  const std::string& object_name = "Object") {
  std::vector<std::string> names;
  const CountersetSchema schema = object(object_name, {}, true);
  for (const InstanceLabels& labels : map_instances(schema, &set, options)) {
    std::string name = labels.instance;
    if (!labels.parent.empty()) name = labels.parent + '/' + name;
    if (labels.process_id) name += " pid " + std::to_string(*labels.process_id);
    names.push_back(name);
  }
  return names;
}

TEST(InstanceLabels_OfAnObjectWithoutInstances, AreNone) {
  const auto rows = map_instances(object("Memory", {}), nullptr, {});
  ASSERT_EQ(rows.size(), 1U);
  EXPECT_TRUE(rows[0].single);
}

TEST(InstanceLabels_OfTotals, AreLeftOutBesideOthers) {
  const InstanceSet set{{instance("0,0", 0), instance("0,_Total", 1), instance("_Total", 2)}};
  EXPECT_THAT(names_of(set), ElementsAre("0,0"));
  EXPECT_THAT(names_of(set, {.total_instances = true}), ElementsAre("0,0", "0,_Total", "_Total"));
  EXPECT_THAT(names_of(InstanceSet{{instance("_Total", 0)}}), ElementsAre("_Total"));
}

TEST(InstanceLabels_OfNamesThatEndAsTotalsDo, AreThere) {
  const InstanceSet set{{instance("Orders_Total", 0), instance("a,b,_Total", 1),
                         instance("App_Total", 2), instance("_Total", 3)}};
  EXPECT_THAT(names_of(set), ElementsAre("App_Total", "Orders_Total", "a,b,_Total"));
}

TEST(InstanceLabels_OfEqualNames, AreNumberedAndSorted) {
  const InstanceSet set{{instance("svchost", 0), instance("Idle", 1), instance("svchost", 2, 1),
                         instance("svchost", 3, 2)}};
  EXPECT_THAT(names_of(set), ElementsAre("Idle", "svchost", "svchost#1", "svchost#2"));
}

TEST(InstanceLabels_WithProcessIds, NeedNoNumbers) {
  InstanceSet set{{instance("svchost", 0), instance("svchost", 1, 1), instance("svchost", 2, 2)}};
  set.instances[0].process_id = 700;
  set.instances[1].process_id = 600;
  set.instances[2].process_id = 600;
  EXPECT_THAT(names_of(set),
              ElementsAre("svchost pid 600", "svchost pid 700", "svchost#2 pid 600"));
}

// ProcessNameFormat 2 appends it with an underscore, Process V2 with a colon.
TEST(InstanceLabels_OfProcesses, LeaveTheProcessIdToItsLabel) {
  InstanceSet set{{instance("chrome_13032", 0), instance("chrome:7", 1), instance("chrome_13", 2),
                   instance("_13032", 3), instance("13032", 4), instance("chrome", 5)}};
  for (InstanceSchema& process : set.instances) process.process_id = 13032;
  set.instances[1].process_id = 7;
  EXPECT_THAT(names_of(set, {}, "Process"),
              ElementsAre("13032 pid 13032", "_13032 pid 13032", "chrome pid 7", "chrome pid 13032",
                          "chrome# pid 13032", "chrome_13 pid 13032"));
  EXPECT_THAT(names_of(set, {}, "Object"), Contains("chrome_13032 pid 13032"));
  InstanceSet threads{{instance("0_13032", 0)}};
  threads.instances[0].parent = "chrome_13032";
  threads.instances[0].process_id = 13032;
  EXPECT_THAT(names_of(threads, {}, "Thread"), ElementsAre("chrome/0_13032 pid 13032"))
      << "a thread's own name is its number";
}

TEST(InstanceLabels_OfNamesThatLookNumbered, StayDistinct) {
  const InstanceSet set{{instance("a", 0), instance("a#1", 1), instance("a", 2, 1)}};
  EXPECT_THAT(names_of(set), ElementsAre("a", "a#1", "a#1#"));
}

InstanceSchema labelled(std::string name, std::uint32_t ordinal,
                        std::vector<InstanceLabel> labels) {
  InstanceSchema result = instance(std::move(name), ordinal);
  result.labels = std::move(labels);
  return result;
}

TEST(InstanceLabels_FromTheName, AreAddedOrReplaceThoseOfTheInstance) {
  const InstanceSet set{{labelled("1_Pool", 0, {{"pool", "Pool"}, {"process_id", "1"}}),
                         labelled("2_Site", 1, {{"instance_name", "Site"}, {"parent_name", "up"}}),
                         instance("_Total", 2)}};
  const auto rows = map_instances(object("Object", {}, true), &set, {.total_instances = true});
  ASSERT_EQ(rows.size(), 3U);
  EXPECT_EQ(rows[0].instance, "1_Pool");
  EXPECT_THAT(rows[0].more,
              ElementsAre(InstanceLabel{"pool", "Pool"}, InstanceLabel{"process_id", "1"}));
  EXPECT_EQ(rows[1].instance, "Site");
  EXPECT_EQ(rows[1].parent, "up");
  EXPECT_THAT(rows[1].more, ElementsAre());
  EXPECT_EQ(rows[2].instance, "_Total");
}

TEST(InstanceLabels_FromTheName, LeaveProcessesTheirIds) {
  InstanceSet set{{labelled("a_1", 0, {{"process_id", "1"}, {"thread_id", "1"}, {"x", "y"}})}};
  set.instances[0].process_id = 7;
  set.instances[0].thread_id = 8;
  const auto rows = map_instances(object("Process", {}, true), &set, {});
  EXPECT_THAT(rows.at(0).more, ElementsAre(InstanceLabel{"x", "y"}));
  EXPECT_EQ(rows[0].process_id, 7U);
}

TEST(InstanceLabels_FromTheName, ThatNoLongerTellInstancesApartKeepTheWholeName) {
  const InstanceSet set{{labelled("1_3D", 0, {{"instance_name", "3D"}}),
                         labelled("2_3D", 1, {{"instance_name", "3D"}}),
                         labelled("2_Copy", 2, {{"instance_name", "Copy"}})}};
  EXPECT_THAT(names_of(set), ElementsAre("1_3D", "2_3D", "Copy"));
}

InstanceSet chosen(const InstanceSet& all, std::vector<std::uint32_t> places) {
  InstanceSet set{.instances = {}, .all = std::make_shared<const InstanceSet>(all)};
  for (const std::uint32_t place : places) set.instances.push_back(all.instances[place]);
  set.places = std::move(places);
  return set;
}

// Otherwise one series would be that of one process now, and of another one then.
TEST(InstanceLabels_OfInstancesThatWereChosen, AreThoseThatTheyHaveAmongAll) {
  const InstanceSet wave{{labelled("1_Wave", 0, {{"instance_name", "Wave"}}),
                          labelled("2_Wave", 1, {{"instance_name", "Wave"}}),
                          labelled("2_Copy", 2, {{"instance_name", "Copy"}})}};
  EXPECT_THAT(names_of(chosen(wave, {1})), ElementsAre("2_Wave"));
  EXPECT_THAT(names_of(chosen(wave, {0, 2})), ElementsAre("1_Wave", "Copy"));
  const InstanceSet same{{instance("w", 0), instance("w", 1, 1), instance("_Total", 2)}};
  EXPECT_THAT(names_of(chosen(same, {1, 2})), ElementsAre("w#1"));
  const InstanceSet one = chosen(same, {1, 2});
  const auto rows = map_instances(object("Object", {}, true), &one, {.total_instances = true});
  ASSERT_EQ(rows.size(), 2U);
  EXPECT_EQ(rows[0].row, 1U) << "_Total is the second one of what was chosen";
  EXPECT_EQ(rows[1].row, 0U);
}

TEST(InstanceLabels_WithParents, TellThemApart) {
  InstanceSet set{{instance("0", 0), instance("0", 1)}};
  set.instances[0].parent = "notepad";
  set.instances[1].parent = "explorer";
  EXPECT_THAT(names_of(set), ElementsAre("explorer/0", "notepad/0"));
}

}  // namespace
}  // namespace winperf
