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

TEST(NameTemplate, ANameIsSplitAtTheLastPlaceThatFits) {
  EXPECT_THAT(matched("{vm}:{} {} {core}", "a:b:Hv VP 12"), ElementsAre("vm=a:b", "core=12"));
  EXPECT_THAT(matched("{vm}:{} {} {core}", "my vm: x:Hv VP 0"),
              ElementsAre("vm=my vm: x", "core=0"));
  EXPECT_THAT(matched("{vm}:{} {} {core}", ":::Hv VP 0"), ElementsAre("vm=::", "core=0"));
  EXPECT_THAT(matched("{process}#{}", "c#app#2"), ElementsAre("process=c#app"));
  EXPECT_THAT(matched("{a}_{b}_{c}", "1_2_3_4_5"), ElementsAre("a=1_2_3", "b=4", "c=5"));
  EXPECT_THAT(matched("{name} GB", "a GB GB"), ElementsAre("name=a GB"));
  EXPECT_THAT(matched("{a}--{b}", "x---y"), ElementsAre("a=x-", "b=y"));
  EXPECT_THAT(matched("{a}:{b}:", "x::y:"), ElementsAre("a=x:", "b=y"));
}

TEST(NameTemplate, SomePartsEndAtTheFirstPlace) {
  EXPECT_THAT(matched("{disk:first} {}", "0 C: D:"), ElementsAre("disk=0"));
  EXPECT_THAT(matched("\\{server:first}\\{share}", "\\fs\\home\\a"),
              ElementsAre("server=fs", "share=home\\a"));
  EXPECT_THAT(matched("{pid:number}_{app}", "4711_My_Pool"),
              ElementsAre("pid=4711", "app=My_Pool"));
  EXPECT_THAT(matched("{a:first}_{b}_{c}", "1_2_3_4"), ElementsAre("a=1", "b=2_3", "c=4"));
  EXPECT_THAT(matched("{a:first}_{b:first}_{}", "1_2_3_4"), ElementsAre("a=1", "b=2"));
  for (const char* const name : {"My_Pool", "1a_Pool", "_Pool", "Pool"})
    EXPECT_THAT(matched("{pid:number}_{app}", name), ElementsAre("-")) << name;
}

TEST(NameTemplate, OnlyWhatEndsTheNameMayBeEmpty) {
  EXPECT_THAT(matched("{pid}_{app}", "1_"), ElementsAre("pid=1", "app="));
  EXPECT_THAT(matched("{pid:number}_{app}", "1_"), ElementsAre("pid=1", "app="));
  EXPECT_THAT(matched("eng_{eng}_engtype_{engtype}", "eng_0_engtype_"),
              ElementsAre("eng=0", "engtype="));
  EXPECT_THAT(matched("{process}#{}", "c##"), ElementsAre("process=c#"));
  EXPECT_THAT(matched("{core}", ""), ElementsAre("core="));
  for (const char* name : {"", "_app", "_"}) {
    EXPECT_THAT(matched("{pid}_{app}", name), ElementsAre("-")) << name;
    EXPECT_THAT(matched("{pid:first}_{app}", name), ElementsAre("-")) << name;
  }
  EXPECT_THAT(matched("MSSQL${i}:Locks", "MSSQL$:Locks"), ElementsAre("-"));
  EXPECT_THAT(matched("{vm}:{} {} {core}", "web: VP 0"), ElementsAre("-"));
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
