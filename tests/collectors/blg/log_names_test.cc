#include "collectors/blg/log_records.h"

#include <gtest/gtest.h>

namespace winperf::blg {
namespace {

TEST(LogNames, TakeAnInstanceApart) {
  const struct {
    const char* text;
    InstanceName expected;
  } cases[] = {
      {"C:", {"", "C:", 0}},
      {"Idle/0", {"Idle", "0", 0}},
      {"svchost#2", {"", "svchost", 2}},
      {"svchost/12#3", {"svchost", "12", 3}},
      {"a/b/c", {"a", "b/c", 0}},
      // What is no number that perfmon writes belongs to the name.
      {"C#", {"", "C#", 0}},
      {"#1", {"", "#1", 0}},
      {"f#0", {"", "f#0", 0}},
      {"f#01", {"", "f#01", 0}},
      {"f#1x", {"", "f#1x", 0}},
      {"f#99999999999", {"", "f#99999999999", 0}},
      {"a#1#2", {"", "a#1", 2}},
      // A slash with nothing on one side parts nothing.
      {"/x", {"", "/x", 0}},
      {"x/", {"", "x/", 0}},
      {"/", {"", "/", 0}},
      {"", {"", "", 0}},
      {"Diensteübersicht/Größe#1", {"Diensteübersicht", "Größe", 1}},
  };
  for (const auto& [text, expected] : cases) {
    const InstanceName instance = parse_instance_name(text);
    EXPECT_EQ(instance.parent, expected.parent) << text;
    EXPECT_EQ(instance.name, expected.name) << text;
    EXPECT_EQ(instance.number, expected.number) << text;
  }
}

TEST(LogNames, LeaveSlashesToTheNameWhereTheParentIsKnown) {
  EXPECT_EQ(parse_instance_name("a/b#1", "p"), (InstanceName{"p", "a/b", 1}));
}

TEST(LogNames, TellInstancesApartByEverythingButTheirCase) {
  const auto key = [](const char* text) { return key_of(parse_instance_name(text)); };
  EXPECT_EQ(key("_Total"), key("_total"));
  EXPECT_NE(key("a#1"), key("a"));
  EXPECT_NE(key("a/b"), key("b"));
  EXPECT_EQ(numbered_name({"p", "a", 0}), "a");
  EXPECT_EQ(numbered_name({"p", "a", 7}), "a#7");
}

TEST(LogNames, TakeBackslashesOffAMachine) {
  EXPECT_EQ(machine_name("\\\\HOST"), "HOST");
  EXPECT_EQ(machine_name("HOST"), "HOST");
  EXPECT_EQ(machine_name("\\\\"), "");
  EXPECT_EQ(machine_name(""), "");
}

}  // namespace
}  // namespace winperf::blg
