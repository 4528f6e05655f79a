#include "config/patterns.h"

#include <gmock/gmock.h>

#include <string>

namespace winperf {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

Config config(const std::string& text) {
  auto parsed = parse_config(text, "test");
  EXPECT_TRUE(parsed) << text << describe(parsed.error().front());
  return parsed.value_or(Config());
}

Inventory machine() {
  return {.countersets = {{.name = "MSSQL$A:Databases", .key = "100"},
                          {.name = "MSSQL$A:Locks", .key = "102"},
                          {.name = "MSSQL$B:Locks", .key = "202"},
                          {.name = "Memory", .local_name = "Speicher", .key = "4"},
                          {.name = "Process", .key = "230"},
                          {.name = "Thread Details", .key = "816", .is_costly = true}}};
}

std::vector<std::string> labels(const std::string& text, const Inventory& inventory = machine()) {
  std::vector<std::string> all;
  for (const CountersetConfig& entry : expanded(config(text), inventory).countersets)
    all.push_back(entry.label);
  return all;
}

TEST(Patterns, StandForEachNameThatMatches) {
  EXPECT_THAT(labels("countersets: ['MSSQL$*:*']"),
              ElementsAre("MSSQL$A:Databases", "MSSQL$A:Locks", "MSSQL$B:Locks"));
  EXPECT_THAT(labels("countersets: ['mssql*:LOCKS', System, 'P*']"),
              ElementsAre("MSSQL$A:Locks", "MSSQL$B:Locks", "System", "Process"));
  EXPECT_THAT(labels("countersets: ['2*']"), IsEmpty()) << "an index is no name";
  EXPECT_THAT(labels("{language: machine, countersets: ['Spei*']}"), ElementsAre("Memory"));
  EXPECT_THAT(labels("countersets: ['*']", {}), IsEmpty());
}

TEST(Patterns, AreWithoutWhatIsCostlyUnlessTheySayOtherwise) {
  EXPECT_THAT(labels("countersets: ['*']"), ElementsAre("MSSQL$A:Databases", "MSSQL$A:Locks",
                                                        "MSSQL$B:Locks", "Memory", "Process"));
  EXPECT_THAT(labels("countersets: ['T*']"), IsEmpty());
  EXPECT_THAT(labels("countersets: ['T*', {name: '*d*', costly: true}]"),
              ElementsAre("MSSQL$A:Databases", "Thread Details"));
  EXPECT_FALSE(wants_costly(config("countersets: ['*', 'T*', {name: 'A*', costly: false}]")));
  EXPECT_TRUE(wants_costly(config("countersets: ['*', {name: 'T*', costly: true}]")));
  const Config all = expanded(config("countersets: [{name: '*', costly: true}]"), machine());
  ASSERT_EQ(all.countersets.size(), 6U);
  EXPECT_EQ(all.countersets.back().label, "Thread Details");
  EXPECT_TRUE(all.countersets.front().is_of_everything);
  EXPECT_FALSE(all.countersets.back().is_of_everything) << "Global doesn't have it";
  EXPECT_FALSE(all.countersets.back().costly) << "it is one now, and no pattern";
  EXPECT_FALSE(has_patterns(config("countersets: [Memory]")));
  EXPECT_TRUE(has_patterns(config("countersets: [Memory, '*']")));
}

TEST(Patterns, WithoutAMatchAreTold) {
  Inventory inventory = machine();
  inventory.countersets.push_back({.name = "Waiting", .key = "300", .is_active = false});
  const auto without = [&](const std::string& text) { return unmatched(config(text), inventory); };
  EXPECT_THAT(without("countersets: ['X*', 'M*', Nothing, '\\Y*(a)\\b', 'Wait*']"),
              ElementsAre("X*", "\\Y*(a)\\b", "Wait*"));
  EXPECT_THAT(without("countersets: ['T*']"), ElementsAre("T*"));
  EXPECT_THAT(without("countersets: [{name: 'T*', costly: true}]"), IsEmpty());
  EXPECT_THAT(without("collect: [iis, mssql]"), IsEmpty()) << "a set isn't missed";
  EXPECT_THAT(without("countersets: [Memory, 'M*']"), IsEmpty()) << "what is taken matches, too";
}

TEST(Patterns, ASetOfWhichTheMachineHasNothingIsEmpty) {
  const auto empty = [](const std::string& text, Inventory inventory) {
    return empty_sets(config(text), inventory);
  };
  EXPECT_THAT(empty("collect: [iis, process, os, smtp]", machine()), ElementsAre("iis", "smtp"));
  Inventory named;
  named.countersets.push_back({.name = "MSSQL$X:Locks", .key = "300"});
  EXPECT_THAT(empty("collect: [mssql]", named), IsEmpty());
  named.countersets.back().is_active = false;
  EXPECT_THAT(empty("collect: [mssql]", named), ElementsAre("mssql"));
}

TEST(Patterns, WhatStandsForItselfMayBeLacking) {
  const auto is_lacking_here = [](const std::string& entry) {
    return is_lacking(config("countersets: [" + entry + "]").countersets.at(0), machine());
  };
  for (const char* const there : {"Memory", "memory", "Speicher", "'230'",
                                  "{name: [Nothing, Process]}", "'\\Memory\\x'", "'X*'"})
    EXPECT_FALSE(is_lacking_here(there)) << there;
  for (const char* const lacking : {"Nothing", "{name: [Nothing, '6']}", "'\\Mem\\x'"})
    EXPECT_TRUE(is_lacking_here(lacking)) << lacking;
  EXPECT_FALSE(is_lacking(config("collect: iis").countersets.at(0), machine())) << "of a set";
}

TEST(Patterns, LeaveOutWhatIsExcepted) {
  EXPECT_THAT(labels("countersets: [{name: '*', except: ['mssql*:locks', memory, '230']}]"),
              ElementsAre("MSSQL$A:Databases"));
}

TEST(Patterns, LeaveOutWhatIsNamed) {
  EXPECT_THAT(labels("countersets: ['*', {name: memory, interval: 1s}, '230']"),
              ElementsAre("MSSQL$A:Databases", "MSSQL$A:Locks", "MSSQL$B:Locks", "memory", "230"));
  EXPECT_THAT(
      labels("countersets: ['M*', {name: [Gone, Memory]}, Speicher]"),
      ElementsAre("MSSQL$A:Databases", "MSSQL$A:Locks", "MSSQL$B:Locks", "Gone", "Speicher"))
      << "an alternative is named, too, and so is one in the machine's language";
}

Inventory with_process_v2(bool has_process = true) {
  Inventory both{.countersets = {{.name = "Process V2", .key = "{00000000-0000-0000-0000-1}"},
                                 {.name = "Memory", .key = "4"}}};
  if (has_process) both.countersets.push_back({.name = "Process", .key = "230"});
  return both;
}

TEST(Patterns, LeaveOutWhatRepeatsAnotherCounterset) {
  const auto labels_here = [](const std::string& countersets, bool has_process = true) {
    return labels("countersets: [" + countersets + "]", with_process_v2(has_process));
  };
  EXPECT_THAT(labels_here("'*'"), ElementsAre("Memory", "Process"));
  EXPECT_THAT(labels_here("'pro*'"), ElementsAre("Process"));
  EXPECT_THAT(labels_here(R"('\Process*(*)\*')"), ElementsAre(R"(\Process(*)\*)"));
  EXPECT_THAT(labels_here("'*', Process V2"), ElementsAre("Memory", "Process", "Process V2"));
  EXPECT_THAT(labels_here("'*', Process"), ElementsAre("Memory", "Process")) << "it matches both";
  EXPECT_THAT(labels_here("'*V2'"), ElementsAre("Process V2")) << "it doesn't match the other one";
  EXPECT_THAT(labels_here("{name: '*', except: [Process]}"), ElementsAre("Process V2", "Memory"));
  EXPECT_THAT(labels_here("{name: '*', path: perflib}"), ElementsAre("Process V2"));
  EXPECT_THAT(labels_here("'*'", false), ElementsAre("Process V2", "Memory"));
  Config typed;
  typed.countersets = {counterset_named("*", typed)};
  EXPECT_EQ(expanded(typed, with_process_v2()).countersets.size(), 3U) << "on the command line";
}

TEST(Patterns, WhatTheyLeaveOutAsARepetitionIsReported) {
  const auto repeated_here = [](const std::string& countersets) {
    return repeated(config("countersets: [" + countersets + "]"), with_process_v2());
  };
  EXPECT_THAT(repeated_here("'*'"), ElementsAre("Process V2"));
  EXPECT_THAT(repeated_here("'*', 'P*'"), ElementsAre("Process V2")) << "once";
  EXPECT_THAT(repeated_here("'*', 'Process V*'"), IsEmpty()) << "the other pattern adds it";
  EXPECT_THAT(repeated_here("'*', Process V2"), IsEmpty());
  EXPECT_THAT(repeated_here("'M*', Process"), IsEmpty());
}

TEST(Patterns, TheFirstOneTakesIt) {
  const Config both = expanded(
      config("countersets: [{name: '*:Locks', interval: 2s}, {name: 'MSSQL*', interval: 9s}]"),
      machine());
  ASSERT_EQ(both.countersets.size(), 3U);
  EXPECT_EQ(both.countersets[0].label, "MSSQL$A:Locks");
  EXPECT_EQ(both.countersets[0].interval, std::chrono::seconds(2));
  EXPECT_EQ(both.countersets[2].label, "MSSQL$A:Databases");
  EXPECT_EQ(both.countersets[2].interval, std::chrono::seconds(9));
}

TEST(Patterns, WhatTheyStandForHasTheirSettings) {
  const Config one = expanded(
      config("countersets: [{name: 'Mem*', interval: 2s, counters: {include: [a]}}]"), machine());
  const CountersetConfig& memory = one.countersets.at(0);
  EXPECT_THAT(memory.names, ElementsAre("Memory"));
  EXPECT_EQ(memory.interval, std::chrono::seconds(2));
  EXPECT_FALSE(memory.counters.check("b").accepted);
  EXPECT_EQ(memory.object, 4U);
  EXPECT_FALSE(memory.is_of_everything);
  EXPECT_TRUE(expanded(config("countersets: ['*']"), machine()).countersets[0].is_of_everything);
  EXPECT_FALSE(expanded(config("countersets: [{name: '*', except: [x]}]"), machine())
                   .countersets[0]
                   .is_of_everything);
  EXPECT_EQ(
      expanded(config("countersets: ['*']"),
               {.countersets = {{.name = "V2", .key = "{00000000-0000-0000-0000-000000000001}"}}})
          .countersets.at(0)
          .object,
      std::nullopt);
}

TEST(Patterns, LeaveOutWhatIsNotActive) {
  const Inventory some{
      .countersets = {{.name = "A", .key = "2", .is_active = false}, {.name = "B", .key = "4"}}};
  EXPECT_THAT(labels("countersets: ['*']", some), ElementsAre("B"));
  EXPECT_THAT(labels("countersets: ['*', A]", some), ElementsAre("B", "A")) << "it is named";
}

TEST(Patterns, ViaPerfLibAloneStandForV2Countersets) {
  const Inventory both{
      .countersets = {{.name = "A", .key = "2"},
                      {.name = "B", .key = "{00000000-0000-0000-0000-000000000001}"}}};
  EXPECT_THAT(labels("{path: perflib, countersets: ['*']}", both), ElementsAre("B"));
  EXPECT_THAT(labels("countersets: [{name: '*', path: perflib}]", both), ElementsAre("B"));
  EXPECT_THAT(labels("{path: registry, countersets: ['*']}", both), ElementsAre("A", "B"));
}

TEST(Patterns, AreNotAskedForAsEverythingWhileAProviderDoesNotAnswer) {
  Inventory some = machine();
  some.gap = Error{.code = ErrorCode::kTimedOut};
  EXPECT_FALSE(expanded(config("countersets: ['*']"), some).countersets[0].is_of_everything);
}

// The exporter's own metrics have one series for each.
TEST(Patterns, GiveNoLabelTwice) {
  EXPECT_THAT(
      labels(R"(countersets: ['\MSSQL$A:L*(a)\x', '\*:Locks(a)\X', '\MSSQL$B:Locks(a)\x'])"),
      ElementsAre(R"(\MSSQL$A:Locks(a)\x)", R"(\MSSQL$B:Locks(a)\x)"));
}

// Otherwise one of them would be sampled twice, and the other one never.
TEST(Patterns, SeveralOfOneNameAreFoundByTheirKeys) {
  const Inventory twins{.countersets = {{.name = "", .key = "8"},
                                        {.name = "Shop", .key = "2"},
                                        {.name = "SHOP", .key = "6"}}};
  const Config both = expanded(config("countersets: ['*']"), twins);
  ASSERT_EQ(both.countersets.size(), 3U);
  EXPECT_EQ(both.countersets[0].label, "8");
  EXPECT_EQ(both.countersets[1].label, "Shop (2)");
  EXPECT_THAT(both.countersets[1].names, ElementsAre("2"));
  EXPECT_EQ(both.countersets[2].label, "SHOP (6)");
}

TEST(Sets, AreWhatTheMachineHasOfThem) {
  const Inventory server{.countersets = {{.name = "MSSQL$A:Locks", .key = "102"},
                                         {.name = "NTDS", .key = "8"},
                                         {.name = "SQLServer:Locks", .key = "12"},
                                         {.name = "Web Service", .key = "14"}}};
  EXPECT_THAT(labels("collect: [mssql, ad, dns]", server),
              ElementsAre("SQLServer:Locks", "MSSQL$A:Locks", "NTDS"));
  EXPECT_THAT(labels("collect: iis", {}), IsEmpty());
  EXPECT_TRUE(has_patterns(config("collect: iis")));
  EXPECT_FALSE(wants_costly(config("collect: mssql")));
}

TEST(Sets, StandBesideOtherCountersets) {
  const Inventory server{.countersets = {{.name = "DNS", .key = "2"},
                                         {.name = "DirectoryServices", .key = "4"},
                                         {.name = "NTDS", .key = "8"}}};
  EXPECT_THAT(labels("{collect: [dns, ad, dns], countersets: [Memory, dns]}", server),
              ElementsAre("Memory", "dns", "DirectoryServices"));
  EXPECT_THAT(labels("{collect: ad, countersets: ['*']}", server),
              ElementsAre("DNS", "DirectoryServices", "NTDS"));
  EXPECT_EQ(expanded(config("{collect: dns, interval: 7s}"), server).countersets.at(0).interval,
            std::chrono::seconds(7));
}

TEST(Patterns, OfAPathSelectAPartOfEach) {
  const std::string text =
      R"(countersets: ['\MSSQL*:Locks(_Total)\*/sec', '\MSSQL*:Locks(a)\x', 'MSSQL$A*'])";
  EXPECT_THAT(labels(text),
              ElementsAre(R"(\MSSQL$A:Locks(_Total)\*/sec)", R"(\MSSQL$B:Locks(_Total)\*/sec)",
                          R"(\MSSQL$A:Locks(a)\x)", R"(\MSSQL$B:Locks(a)\x)", "MSSQL$A:Databases",
                          "MSSQL$A:Locks"));
  const Config all = expanded(config(text), machine());
  EXPECT_THAT(all.countersets[0].names, ElementsAre("MSSQL$A:Locks"));
  EXPECT_TRUE(all.countersets[0].instances_as_displayed);
  EXPECT_TRUE(all.countersets[0].counters.check("Waits/sec").accepted);
}

}  // namespace
}  // namespace winperf
