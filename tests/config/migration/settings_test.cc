#include "config/migration/settings.h"

#include <gmock/gmock.h>

#include <expected>
#include <string>
#include <vector>

namespace winperf::migration {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

// "key=value|value" of each.
std::vector<std::string> shown_settings(const std::expected<Settings, std::string>& settings) {
  std::vector<std::string> all;
  if (!settings) return {settings.error()};
  for (const Setting& one : *settings) {
    all.push_back(one.key + '=');
    for (const std::string& value : one.values)
      all.back() += (all.back().ends_with('=') ? "" : "|") + value;
  }
  return all;
}

std::vector<std::string> shown_flags(std::vector<std::string> arguments) {
  return shown_settings(read_flags(arguments));
}

TEST(MigratedFlags, AreReadInEveryForm) {
  EXPECT_THAT(shown_flags({}), IsEmpty());
  EXPECT_THAT(shown_flags({"program"}), IsEmpty());
  EXPECT_THAT(shown_flags({"--a=1", "-b=2", "--c", "3", "-d", "--e"}),
              ElementsAre("a=1", "b=2", "c=3", "d=true", "e=true"));
  EXPECT_THAT(shown_flags({"--a==b="}), ElementsAre("a==b="));
  EXPECT_THAT(shown_flags({"--a=1", "--b=x", "--a=2"}), ElementsAre("a=1|2", "b=x"));
}

TEST(MigratedFlags, SwitchesHaveNoValue) {
  EXPECT_THAT(shown_flags({"--debug.enabled", "--a=1"}), ElementsAre("debug.enabled=true", "a=1"));
  EXPECT_THAT(shown_flags({"--no-debug.enabled", "--a=1"}),
              ElementsAre("debug.enabled=false", "a=1"));
  EXPECT_THAT(shown_flags({"--no-a", "--b"}), ElementsAre("a=false", "b=true"));
}

TEST(MigratedFlags, ThatBelongToNothing_AreRefused) {
  EXPECT_THAT(shown_flags({"program", "more"}),
              ElementsAre(HasSubstr("\"more\" belongs to no flag")));
  EXPECT_THAT(shown_flags({"--a=1", "more"}),
              ElementsAre(HasSubstr("\"more\" belongs to no flag")));
}

TEST(MigratedFlags, ThatAreNotUtf8_AreRefused) {
  EXPECT_THAT(shown_flags({"--log.level=\xFF"}), ElementsAre(HasSubstr("is not UTF-8")));
}

TEST(MigratedFlags, HaveThePlaceWithoutTheValue) {
  const std::vector<std::string> arguments{"-a=1", "--b", "2", "--no-debug.enabled"};
  const auto settings = read_flags(arguments);
  ASSERT_TRUE(settings);
  EXPECT_EQ(settings->at(0).place, "--a");
  EXPECT_EQ(settings->at(1).place, "--b");
  EXPECT_EQ(settings->at(2).place, "--no-debug.enabled");
}

TEST(MigratedFile, IsOneFlatList) {
  EXPECT_THAT(shown_settings(read_file("a: {b: {c: 1}, d: [x, y]}\ne: []\nf:", "f.yaml")),
              ElementsAre("a.b.c=1", "a.d=x,y", "e="));
  EXPECT_THAT(shown_settings(read_file("web: {listen-address: [x, y]}", "f.yaml")),
              ElementsAre("web.listen-address=x|y"))
      << "addresses are values of their own";
  EXPECT_THAT(shown_settings(read_file("\xEF\xBB\xBF"
                                       "a: 1",
                                       "f.yaml")),
              ElementsAre("a=1"));
}

TEST(MigratedFile, TellsWhereEachSettingIs) {
  const auto settings = read_file("a:\n  b: 1\nc: [x]", "f.yaml");
  ASSERT_TRUE(settings);
  EXPECT_EQ(settings->at(0).place, "f.yaml:2:3: a.b");
  EXPECT_EQ(settings->at(1).place, "f.yaml:3:1: c");
}

TEST(Split, LeavesOutSpacesAndWhatIsEmpty) {
  EXPECT_THAT(split("", ','), IsEmpty());
  EXPECT_THAT(split("a", ','), ElementsAre("a"));
  EXPECT_THAT(split(" a , ,b c,,", ','), ElementsAre("a", "b c"));
  EXPECT_THAT(split("a,b|c", '|'), ElementsAre("a,b", "c"));
}

TEST(MigratedFlags, OfTheInstaller_AreThoseThatItWrites) {
  EXPECT_THAT(shown_flags({"ENABLED_COLLECTORS=cpu", "LISTEN_PORT=1", "EXTRA_FLAGS=--a=b --c d"}),
              ElementsAre("collectors.enabled=cpu", "a=b", "c=d", "web.listen-address=:1"));
  EXPECT_THAT(shown_flags({"/ListenAddress:::1"}), ElementsAre("web.listen-address=[::1]:9182"));
  EXPECT_THAT(shown_flags({"LISTEN_ADDR=10.0.0.1", "LISTEN_PORT=1"}),
              ElementsAre("web.listen-address=10.0.0.1:1"));
}

TEST(MigratedFile, ListsOfObjects_AreReadKeyByKey) {
  const auto settings = read_file("a: [{b: 1}, x, {c: 2}]", "f.yaml");
  ASSERT_TRUE(settings);
  EXPECT_THAT(shown_settings(settings), ElementsAre("a[].b=1", "a[].c=2", "a=x"));
  EXPECT_EQ(settings->at(1).place, "f.yaml:1:17: a[].c");
}

TEST(PlaceIn, ATextBlock_IsThatOfTheFile) {
  const std::string file = "k:\n  o: |-\n\n    a: 1\n    b: 2\n";
  const auto settings = read_file(file, "f.yaml");
  ASSERT_TRUE(settings);
  const Setting& setting = settings->front();
  EXPECT_EQ(place_in(setting, setting.values.front().find("b:")), "f.yaml:5:5: k.o");
  EXPECT_EQ(place_in({.key = "a", .values = {"x\ny"}, .place = "--a"}, 2), "--a");
}

TEST(PlaceIn, AListOfObjects_IsThatOfTheFile) {
  const std::string file = "collector.performancecounter.objects:\n  - object: A\n    nope: 1\n";
  const auto settings = read_file(file, "f.yaml");
  ASSERT_TRUE(settings);
  const Setting& setting = settings->front();
  ASSERT_TRUE(setting.list);
  EXPECT_EQ(place_in(setting, setting.list->children[0].children[1].key_offset),
            "f.yaml:3:5: collector.performancecounter.objects");
}

}  // namespace
}  // namespace winperf::migration
