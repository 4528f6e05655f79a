#include "exporter/profiles/name_template.h"

#include <gmock/gmock.h>

namespace winperf {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

// "label=value", or "-" for a name that doesn't fit.
std::vector<std::string> matched(std::string_view pattern, std::string_view name) {
  const auto labels = match_name(pattern, name);
  if (!labels) return {"-"};
  std::vector<std::string> texts;
  for (const LabelPart& label : *labels) texts.push_back(label.name + '=' + label.value);
  return texts;
}

TEST(NameTemplate, APartIsALabel) {
  EXPECT_THAT(matched("{core}", "0,1"), ElementsAre("core=0,1"));
  EXPECT_THAT(matched("{pid}_{app}", "4711_My_Pool"), ElementsAre("pid=4711", "app=My_Pool"));
  EXPECT_THAT(matched("\\{server}\\{share}", "\\fs\\home\\a"),
              ElementsAre("server=fs", "share=home\\a"));
  EXPECT_THAT(matched("{vm}:{} {} {core}", "web:Hv VP 12"), ElementsAre("vm=web", "core=12"));
}

TEST(NameTemplate, WithoutAPartTheNameIsTheText) {
  EXPECT_THAT(matched("Memory", "memory"), IsEmpty());
  EXPECT_THAT(matched("Memory", "Memory 2"), ElementsAre("-"));
  EXPECT_THAT(matched("Memory", "Mem"), ElementsAre("-"));
  EXPECT_THAT(matched("", ""), IsEmpty());
}

TEST(NameTemplate, TheCaseOfTheTextDoesNotMatter) {
  EXPECT_THAT(matched("MSSQL${mssql_instance}:Locks", "mssql$Payroll:LOCKS"),
              ElementsAre("mssql_instance=Payroll"));
}

TEST(NameTemplate, TheLastPartTakesWhatTheTextAfterItLeaves) {
  EXPECT_THAT(matched("{disk} {}", "0 C: D:"), ElementsAre("disk=0"));
  EXPECT_THAT(matched("{name} GB", "a GB GB"), ElementsAre("name=a GB"));
}

TEST(NameTemplate, NoPartIsEmpty) {
  for (const char* name : {"", "_app", "1_", "_"})
    EXPECT_THAT(matched("{pid}_{app}", name), ElementsAre("-")) << name;
  EXPECT_THAT(matched("{core}", ""), ElementsAre("-"));
  EXPECT_THAT(matched("MSSQL${i}:Locks", "MSSQL$:Locks"), ElementsAre("-"));
}

TEST(NameTemplate, ModifiersWriteAPartDifferently) {
  EXPECT_THAT(matched("{name:words}", "Mailbox  DB.01 X"), ElementsAre("name=mailbox_db_01_x"));
  EXPECT_THAT(matched("{session:rdp}", "RDP-tcp 7"), ElementsAre("session=RDP-Tcp 7"));
  EXPECT_THAT(matched("{session:rdp}", "ICA 7"), ElementsAre("session=ICA 7"));
}

TEST(NameTemplate, LabelsOfTheTablesAreRead) {
  EXPECT_THAT(parse_labels("a=\"b c\",d=\"\""),
              ElementsAre(LabelPart{"a", "b c"}, LabelPart{"d", ""}));
  for (const char* text : {"", "a", "a=", "a=\"b"})
    EXPECT_THAT(parse_labels(text), IsEmpty()) << text;
}

TEST(NameTemplate, TellsItsLabels) {
  EXPECT_THAT(labels_of_template("{vm}:{} {core:words}"), ElementsAre("vm", "core"));
  EXPECT_THAT(labels_of_template("Memory"), IsEmpty());
}

}  // namespace
}  // namespace winperf
