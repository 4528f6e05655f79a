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
std::vector<std::string> shown(const std::expected<Settings, std::string>& settings) {
  std::vector<std::string> all;
  if (!settings) return {settings.error()};
  for (const Setting& one : *settings) {
    all.push_back(one.key + '=');
    for (const std::string& value : one.values)
      all.back() += (all.back().ends_with('=') ? "" : "|") + value;
  }
  return all;
}

std::vector<std::string> flags(std::vector<std::string> arguments) {
  return shown(read_flags(arguments));
}

TEST(MigratedFlags, AreReadInEveryForm) {
  EXPECT_THAT(flags({}), IsEmpty());
  EXPECT_THAT(flags({"program"}), IsEmpty());
  EXPECT_THAT(flags({"--a=1", "-b=2", "--c", "3", "-d", "--e"}),
              ElementsAre("a=1", "b=2", "c=3", "d=--e"));
  EXPECT_THAT(flags({"--a==b="}), ElementsAre("a==b="));
  EXPECT_THAT(flags({"--a=1", "--b=x", "--a=2"}), ElementsAre("a=1|2", "b=x"));
}

TEST(MigratedFlags, SwitchesHaveNoValue) {
  EXPECT_THAT(flags({"--debug.enabled", "--a=1"}), ElementsAre("debug.enabled=true", "a=1"));
  EXPECT_THAT(flags({"--no-debug.enabled", "--a=1"}), ElementsAre("debug.enabled=false", "a=1"));
  EXPECT_THAT(flags({"--no-a", "1"}), ElementsAre("no-a=1"));
}

TEST(MigratedFlags, ThatBelongToNothing_AreRefused) {
  EXPECT_THAT(flags({"program", "more"}), ElementsAre(HasSubstr("\"more\" belongs to no flag")));
  EXPECT_THAT(flags({"--a=1", "more"}), ElementsAre(HasSubstr("\"more\" belongs to no flag")));
  EXPECT_THAT(flags({"program", "--a"}), ElementsAre(HasSubstr("--a needs a value: write --a=")));
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
  EXPECT_THAT(shown(read_file("a: {b: {c: 1}, d: [x, y]}\ne: []\nf:", "f.yaml")),
              ElementsAre("a.b.c=1", "a.d=x,y", "e="));
  EXPECT_THAT(shown(read_file("web: {listen-address: [x, y]}", "f.yaml")),
              ElementsAre("web.listen-address=x|y"))
      << "addresses are values of their own";
  EXPECT_THAT(shown(read_file("\xEF\xBB\xBF"
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

TEST(Progress, KnowsWhatWasUsed) {
  const Settings settings{{"a", {"1"}, "--a"}, {"b", {"2"}, "--b"}, {"c", {"3"}, "--c"}};
  Progress progress(settings);
  EXPECT_EQ(progress.use("nothing"), nullptr);
  ASSERT_NE(progress.use("b"), nullptr);
  EXPECT_EQ(progress.use("b")->values.front(), "2");
  EXPECT_THAT(progress.unused(), ElementsAre(&settings[0], &settings[2]));
}

TEST(Progress, CountsWhatIsLost_AndNotesBothInOneLineEach) {
  const Settings none;
  Progress progress(none);
  progress.note(
      "a\nb\x1F"
      "c d\x7F");
  progress.lose("e");
  EXPECT_THAT(progress.notes(), ElementsAre("a b c d\x7F", "e"));
  EXPECT_EQ(progress.lost(), 1U);
}

}  // namespace
}  // namespace winperf::migration
