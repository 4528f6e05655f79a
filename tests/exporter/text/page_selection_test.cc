#include "exporter/text/page_selection.h"

#include <gtest/gtest.h>

#include "tests/exporter/support/sample_builder.h"

namespace winperf {
namespace {

using namespace testing;  // NOLINT: builders of this room's tests

// "Processor Information", whose object is called "Processor"; "Absent", which was never sampled;
// and "Disk" of two machines, of which one calls its object "Platte".
std::shared_ptr<const Sample> published() {
  CountersetState absent;
  absent.name = "Absent";
  return sample(
      1, {state("Processor Information", values(object("Processor", {}))), absent,
          state("Disk", values(object("Disk", {}))), state("Disk", values(object("Platte", {})))});
}

class PageSelectionTest : public ::testing::Test {
 protected:
  PageSelection select(PageFilter filter) { return PageSelection(filter, &index_); }
  // "vs..": of which countersets it has the values and states.
  std::string countersets(std::vector<std::string> names) {
    const PageSelection selection = select({.countersets = std::move(names)});
    std::string text;
    for (std::size_t place = 0; place < index_.sample().countersets.size(); ++place) {
      text += selection.has_counterset(place) ? 'v' : '.';
      text += selection.has_state(place) ? 's' : '.';
    }
    return text;
  }

  const CountersetIndex index_{published()};
};

TEST_F(PageSelectionTest, HasCountersetsByTheirNamesAndThoseOfTheirObjects) {
  EXPECT_EQ(countersets({}), "vsvsvsvs");
  EXPECT_EQ(countersets({"processor INFORMATION"}), "vs......");
  EXPECT_EQ(countersets({"Memory", "processor"}), "vs......");
  EXPECT_EQ(countersets({"Memory", "Process"}), "........");
  EXPECT_EQ(countersets({"absent", "absent", "Processor"}), "vsvs....");
  EXPECT_EQ(countersets({""}), "........");
}

TEST_F(PageSelectionTest, HasTheObjectsOfEachInstallation) {
  const CountersetIndex index(
      sample(1, {state("SQLServer:Locks", values(object("SQLServer:Locks", {}))),
                 state("MSSQL$A:Locks", values(object("MSSQL$A:Locks", {})))}));
  const PageSelection all({.countersets = {"sqlserver:locks"}}, &index);
  EXPECT_TRUE(all.has_counterset(0) && all.has_counterset(1));
  const PageSelection one({.countersets = {"MSSQL$A:Locks"}}, &index);
  EXPECT_TRUE(!one.has_counterset(0) && one.has_counterset(1));
}

TEST_F(PageSelectionTest, HasWhatIsSaidOfAllCountersetsOfTheSameName) {
  EXPECT_EQ(countersets({"disk"}), "....vsvs");
  EXPECT_EQ(countersets({"platte"}), ".....svs");
  const PageSelection selection = select({.countersets = {"PLATTE"}});
  EXPECT_TRUE(selection.has_state_of("Disk"));
  EXPECT_FALSE(selection.has_state_of("disk")) << "a label is exact";
  EXPECT_FALSE(selection.has_state_of("Platte")) << "an object's name is no label";
  EXPECT_FALSE(selection.has_state_of(""));
}

TEST_F(PageSelectionTest, OfTopics_HasNoCountersets) {
  const PageSelection topics = select({.topics = {FactTopic::kOs}});
  EXPECT_TRUE(topics.has_topic(FactTopic::kOs));
  EXPECT_FALSE(topics.has_topic(FactTopic::kServices));
  EXPECT_FALSE(topics.has_counterset(0) || topics.has_state(0));
  EXPECT_FALSE(topics.has_state_of("Absent"));
  EXPECT_FALSE(select({.countersets = {"Absent"}}).has_topic(FactTopic::kOs));
}

TEST_F(PageSelectionTest, OfAllButSome_HasTheRest) {
  const PageSelection rest =
      select({.without_countersets = {"processor", "absent"}, .without_topics = {FactTopic::kOs}});
  EXPECT_FALSE(rest.has_all());
  EXPECT_FALSE(rest.has_counterset(0) || rest.has_state(0) || rest.has_counterset(1));
  EXPECT_TRUE(rest.has_counterset(2) && rest.has_state(3));
  EXPECT_FALSE(rest.has_state_of("Absent"));
  EXPECT_TRUE(rest.has_state_of("Disk") && rest.has_state_of("of a target"));
  EXPECT_FALSE(rest.has_topic(FactTopic::kOs));
  EXPECT_TRUE(rest.has_topic(FactTopic::kServices));
  const PageSelection of_both =
      select({.countersets = {"Disk", "Absent"}, .without_countersets = {"Absent"}});
  EXPECT_TRUE(of_both.has_counterset(2));
  EXPECT_FALSE(of_both.has_counterset(0) || of_both.has_state(1));
  const PageSelection nothing({.without_topics = {FactTopic::kOs}}, nullptr);
  EXPECT_FALSE(nothing.has_topic(FactTopic::kOs));
  EXPECT_TRUE(nothing.has_state_of("Disk"));
}

TEST_F(PageSelectionTest, OfNames_HasAllThatIsCalledSo) {
  const PageSelection names = select({.names = {"a", "b", "a"}});
  EXPECT_TRUE(names.has_name("b"));
  EXPECT_FALSE(names.has_name("A"));
  EXPECT_FALSE(names.has_all() || names.has_all_names());
  EXPECT_TRUE(names.has_counterset(1) && names.has_topic(FactTopic::kOs));
  EXPECT_TRUE(names.has_state_of("anything"));
  EXPECT_TRUE(select({.countersets = {"Absent"}}).has_name("c"));
}

TEST_F(PageSelectionTest, OfEverything_HasAll) {
  EXPECT_TRUE(select({}).has_all());
  EXPECT_TRUE(PageSelection().has_all());
  EXPECT_TRUE(PageSelection().has_counterset(7) && PageSelection().has_topic(FactTopic::kOs));
  EXPECT_FALSE(PageSelection({.countersets = {"Absent"}}, nullptr).has_all());
}

}  // namespace
}  // namespace winperf
