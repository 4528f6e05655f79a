#include "exporter/mapping/instance_labels.h"

#include <gmock/gmock.h>

#include "tests/exporter/support/sample_builder.h"

namespace winperf {
namespace {

using namespace testing;  // NOLINT: builders of this room's tests
using ::testing::ElementsAre;

std::vector<std::string> names_of(const InstanceSet& set, const MappingOptions& options = {}) {
  std::vector<std::string> names;
  for (const InstanceLabels& labels : map_instances(true, &set, options)) {
    std::string name = labels.instance_name;
    if (!labels.parent_name.empty()) name = labels.parent_name + '/' + name;
    if (labels.process_id) name += " pid " + std::to_string(*labels.process_id);
    names.push_back(name);
  }
  return names;
}

TEST(InstanceLabels_OfAnObjectWithoutInstances, AreNone) {
  const auto rows = map_instances(false, nullptr, {});
  ASSERT_EQ(rows.size(), 1U);
  EXPECT_TRUE(rows[0].single);
}

TEST(InstanceLabels_OfTotals, AreLeftOutBesideOthers) {
  const InstanceSet set{{instance("0,0", 0), instance("0,_Total", 1), instance("_Total", 2)}};
  EXPECT_THAT(names_of(set), ElementsAre("0,0"));
  EXPECT_THAT(names_of(set, {true, false}), ElementsAre("0,0", "0,_Total", "_Total"));
  EXPECT_THAT(names_of(InstanceSet{{instance("_Total", 0)}}), ElementsAre("_Total"));
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

TEST(InstanceLabels_OfNamesThatLookNumbered, StayDistinct) {
  const InstanceSet set{{instance("a", 0), instance("a#1", 1), instance("a", 2, 1)}};
  EXPECT_THAT(names_of(set), ElementsAre("a", "a#1", "a#1#"));
}

TEST(InstanceLabels_WithParents, TellThemApart) {
  InstanceSet set{{instance("0", 0), instance("0", 1)}};
  set.instances[0].parent = "notepad";
  set.instances[1].parent = "explorer";
  EXPECT_THAT(names_of(set), ElementsAre("explorer/0", "notepad/0"));
}

}  // namespace
}  // namespace winperf
