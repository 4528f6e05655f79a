#include "config/migration/selection.h"

#include <gmock/gmock.h>

#include <expected>
#include <string>

namespace winperf::migration {
namespace {

using ::testing::ElementsAre;
using ::testing::Field;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

Setting setting(const std::string& key, const std::string& value) {
  return {.key = key, .values = {value}, .place = "--" + key};
}

std::expected<Selected, std::string> selected(const std::string& collectors,
                                              const Settings& settings) {
  Progress progress(settings);
  return select({.names = split(collectors, ','), .place = "here"}, progress);
}

std::expected<Selected, std::string> custom(const std::string& objects) {
  return selected("performancecounter", {setting("collector.performancecounter.objects", objects)});
}

TEST(FindCollector, FindsByItsWholeName) {
  ASSERT_NE(find_collector("cpu"), nullptr);
  EXPECT_EQ(find_collector("cpu")->name, "cpu");
  EXPECT_EQ(find_collector("cp"), nullptr);
  EXPECT_EQ(find_collector(""), nullptr);
}

TEST(EnabledCollectors, AreTheDefaultsUnlessASettingSaysOtherwise) {
  const auto enabled = [](const Settings& settings) {
    Progress progress(settings);
    return enabled_collectors(progress);
  };
  const Enabled defaults = enabled({});
  EXPECT_THAT(defaults.names, SizeIs(default_collectors().size()));
  EXPECT_EQ(defaults.place, "collectors");
  const Enabled listed = enabled({setting("collectors.enabled", "net,cpu,net")});
  EXPECT_THAT(listed.names, ElementsAre("net", "cpu"));
  EXPECT_EQ(listed.place, "--collectors.enabled");
  EXPECT_THAT(enabled({setting("collectors.enabled", "net,[defaults]")}).names,
              SizeIs(defaults.names.size()))
      << "net is one of the defaults";
  EXPECT_THAT(enabled({setting("collectors.enabled", "cpu,net,os"),
                       setting("collectors.disabled", "os,cpu")})
                  .names,
              ElementsAre("net"));
}

TEST(Select, APatternForEverything_IsNoneIfItIncludes) {
  for (const char* everything : {".+", ".*"}) {
    const auto included =
        selected("logical_disk", {setting("collector.logical_disk.volume-include", everything)});
    ASSERT_TRUE(included);
    EXPECT_THAT(included->entries.at(0).include, IsEmpty()) << everything;
    const auto excluded =
        selected("logical_disk", {setting("collector.logical_disk.volume-exclude", everything)});
    ASSERT_TRUE(excluded);
    EXPECT_THAT(excluded->entries.at(0).exclude, ElementsAre(everything));
  }
}

TEST(Select, APatternThatIsNone_IsRefused) {
  for (const std::string option : {"volume-include", "volume-exclude"}) {
    const auto result =
        selected("logical_disk", {setting("collector.logical_disk." + option, "C:|[")});
    ASSERT_FALSE(result) << option;
    EXPECT_THAT(result.error(),
                ::testing::StartsWith("--collector.logical_disk." + option +
                                      ": \"C:|[\" is not a valid regular expression"));
  }
}

// A collector whose option "enabled" lists parts that aren't objects.
TEST(Select, OfACollectorWithoutParts_EnabledSelectsNothing) {
  const auto result = selected("time", {setting("collector.time.enabled", "ntp")});
  ASSERT_TRUE(result);
  EXPECT_THAT(result->entries, SizeIs(1));
  const auto without = selected("os", {setting("collector.os.enabled", "x")});
  ASSERT_TRUE(without);
  EXPECT_THAT(without->entries, IsEmpty());
}

TEST(Select, CountsCollectorsThatBecomeEntries) {
  EXPECT_EQ(selected("cpu,os,memory,nosuch", {})->collectors, 2U);
  EXPECT_EQ(selected("performancecounter", {})->collectors, 0U);
  EXPECT_EQ(custom("- object: A\n- object: B")->collectors, 1U);
  EXPECT_EQ(custom("")->collectors, 0U);
  const auto off = selected("cpu", {setting("collector.performancecounter.objects", "- a: b")});
  ASSERT_TRUE(off);
  EXPECT_EQ(off->collectors, 1U);
}

TEST(Select, CustomObjects_HaveWhatIsGiven) {
  const auto result = custom(R"(
- object: A
- object: B
  instances: ["*", "", i]
  counters: [{name: x}, {metric: y}]
)");
  ASSERT_TRUE(result) << result.error();
  ASSERT_THAT(result->entries, ElementsAre(Field(&Entry::names, ElementsAre("A")),
                                           Field(&Entry::names, ElementsAre("B"))));
  EXPECT_THAT(result->entries[0].include, IsEmpty());
  EXPECT_THAT(result->entries[0].counters, IsEmpty());
  EXPECT_THAT(result->entries[1].include, ElementsAre("(?i)i"));
  EXPECT_THAT(result->entries[1].counters, ElementsAre("(?i)x"));
  EXPECT_EQ(result->entries[1].comment, "performancecounter");
}

TEST(Select, CustomObjectsWithoutAName_AreRefused) {
  for (const char* objects : {"- name: A", "- object: ''", "- object: [A]", "- object: {a: b}",
                              "- object:", "- object: A\n- name: B"})
    EXPECT_EQ(custom(objects).error(),
              "--collector.performancecounter.objects: an entry has no \"object\": write the "
              "counterset's name there")
        << objects;
}

TEST(Select, CustomObjectsThatAreNoList_AreRefused) {
  for (const char* objects : {"object: A", "A", "{}"})
    EXPECT_THAT(custom(objects).error(),
                HasSubstr("this must be a list of objects with the keys name, object and counters"))
        << objects;
}

TEST(Select, OnlyTotalsOfInstances_NeedANote) {
  const auto notes = [](const std::string& objects) {
    const Settings settings{setting("collector.performancecounter.objects", objects)};
    Progress progress(settings);
    EXPECT_TRUE(select({.names = {"performancecounter"}, .place = "here"}, progress));
    return progress.notes();
  };
  EXPECT_THAT(notes("- {object: A, instances: [_Total]}"), SizeIs(2));
  EXPECT_THAT(notes("- {object: A, instances: [a, '0,_Total']}"), SizeIs(2));
  EXPECT_THAT(notes("- {object: A, instances: [_Totals]}"), SizeIs(1));
}

}  // namespace
}  // namespace winperf::migration
