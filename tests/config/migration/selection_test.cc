#include "config/migration/selection.h"

#include <gmock/gmock.h>

#include <expected>
#include <string>

namespace winperf::migration {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::Field;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

Setting setting(const std::string& key, const std::string& value) {
  return {.key = key, .values = {value}, .place = "--" + key};
}

// What the collectors give, and the messages about it.
struct Result {
  Selected selected;
  std::vector<std::string> lost;
  std::vector<std::string> notes;
};

Result selected(const std::string& collectors, const Settings& settings) {
  Progress progress(settings);
  Result result;
  result.selected = select({.names = split(collectors, ','), .place = "here"}, "C:\\we", progress);
  for (const Message& message : progress.messages())
    (message.is_loss ? result.lost : result.notes).push_back(message.text);
  return result;
}

Selected selected_custom(const std::string& objects) {
  return selected("performancecounter", {setting("collector.performancecounter.objects", objects)})
      .selected;
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
  EXPECT_EQ(defaults.place, "collectors.enabled");
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

TEST(EnabledCollectors, OfAnOlderVersion_HaveItsDefaults) {
  const Settings settings{setting("telemetry.addr", ":1"),
                          setting("collectors.enabled", "[defaults],iis")};
  Progress progress(settings);
  EXPECT_THAT(enabled_collectors(progress).names,
              ElementsAre("cpu", "logical_disk", "memory", "net", "os", "physical_disk", "service",
                          "system", "cs", "textfile", "iis"));
}

TEST(Select, APatternForEverything_IsNoneIfItIncludes) {
  for (const char* everything : {".+", ".*"}) {
    const auto included =
        selected("logical_disk", {setting("collector.logical_disk.volume-include", everything)});
    EXPECT_THAT(included.selected.entries.at(0).instances.include, IsEmpty()) << everything;
    const auto excluded =
        selected("logical_disk", {setting("collector.logical_disk.volume-exclude", everything)});
    EXPECT_THAT(excluded.selected.entries.at(0).instances.exclude, ElementsAre(everything));
    EXPECT_THAT(excluded.selected.facts.at(0).rows.exclude, ElementsAre(everything));
  }
}

TEST(Select, APatternThatIsNone_IsLost) {
  for (const std::string option : {"volume-include", "volume-exclude"}) {
    const auto result =
        selected("logical_disk", {setting("collector.logical_disk." + option, "C:|[")});
    EXPECT_THAT(result.lost,
                ElementsAre(HasSubstr("--collector.logical_disk." + option +
                                      ": \"C:|[\" is not a valid regular expression")));
    EXPECT_THAT(result.selected.entries.at(0).instances.include, IsEmpty());
  }
}

// The topics of a collector's facts.
std::vector<FactTopic> topics(const Result& result) {
  std::vector<FactTopic> all;
  for (const FactEntry& fact : result.selected.facts) all.push_back(fact.topic);
  return all;
}

TEST(Select, PartsOfACollector_AreCountersOrFacts) {
  const auto ntp = selected("time", {setting("collector.time.enabled", "ntp")});
  EXPECT_THAT(ntp.selected.entries, SizeIs(1));
  EXPECT_THAT(topics(ntp), IsEmpty());
  const auto clock = selected("time", {setting("collector.time.enabled", "system_time")});
  EXPECT_THAT(clock.selected.entries, IsEmpty());
  EXPECT_THAT(topics(clock), ElementsAre(FactTopic::kTime));
  const auto states = selected("tcp", {setting("collector.tcp.enabled", "connections_state")});
  EXPECT_THAT(states.selected.entries, IsEmpty());
  EXPECT_THAT(topics(states), ElementsAre(FactTopic::kConnections));
  const auto all = selected("tcp,net", {});
  EXPECT_THAT(all.selected.entries, SizeIs(3));
  EXPECT_THAT(topics(all), ElementsAre(FactTopic::kConnections, FactTopic::kAdapters));
}

TEST(Select, WhatServersOfRolesTell_IsReadAndItsRightsAreNoted) {
  const auto dns = selected("dns", {});
  EXPECT_THAT(topics(dns), ElementsAre(FactTopic::kDnsStatistics));
  EXPECT_THAT(dns.lost, IsEmpty());
  EXPECT_THAT(dns.notes, ElementsAre(HasSubstr("here: dns: only administrators")));
  const auto counters = selected("dns", {setting("collector.dns.enabled", "metrics")});
  EXPECT_THAT(topics(counters), IsEmpty());
  EXPECT_THAT(counters.selected.entries, SizeIs(1));
  EXPECT_THAT(counters.notes, IsEmpty());
  const auto statistics = selected("dns", {setting("collector.dns.enabled", "wmi_stats")});
  EXPECT_THAT(topics(statistics), ElementsAre(FactTopic::kDnsStatistics));
  EXPECT_THAT(statistics.selected.entries, IsEmpty());
  const auto dhcp = selected("dhcp", {});
  EXPECT_THAT(topics(dhcp), ElementsAre(FactTopic::kDhcpScopes));
  EXPECT_THAT(dhcp.lost, IsEmpty());
  EXPECT_THAT(dhcp.notes, ElementsAre(HasSubstr("members of the group DHCP Users")));
  const auto server = selected("dhcp", {setting("collector.dhcp.enabled", "server_metrics")});
  EXPECT_THAT(topics(server), IsEmpty());
  EXPECT_THAT(server.selected.entries, SizeIs(1));
  const auto scopes = selected("dhcp", {setting("collector.dhcp.enabled", "scope_metrics")});
  EXPECT_THAT(topics(scopes), ElementsAre(FactTopic::kDhcpScopes));
  EXPECT_THAT(scopes.selected.entries, IsEmpty());
}

TEST(Select, WhatOfACollectorIsMissing_IsLostIfItRuns) {
  EXPECT_THAT(selected("logical_disk", {}).lost, IsEmpty());
  EXPECT_THAT(selected("logical_disk",
                       {setting("collector.logical_disk.enabled", "metrics,bitlocker_status")})
                  .lost,
              ElementsAre(HasSubstr("here: logical_disk: the state of BitLocker")));
  EXPECT_THAT(selected("tcp", {setting("collector.tcp.enabled", "metric")}).lost,
              ElementsAre("--collector.tcp.enabled: \"metric\" has no counterpart; did you mean "
                          "\"metrics\"?"));
}

TEST(Select, OldConditions_AreFilters) {
  const auto result = selected(
      "service", {setting("collector.service.services-where", "Name='a' OR Name LIKE 'b%'")});
  ASSERT_THAT(topics(result), ElementsAre(FactTopic::kServices, FactTopic::kServiceStatus));
  for (const FactEntry& fact : result.selected.facts)
    EXPECT_THAT(fact.rows.include, ElementsAre("(?i)a", "(?i)b.*"));
  const auto lost = selected("service", {setting("collector.service.services-where", "State='x'")});
  EXPECT_THAT(
      lost.lost,
      ElementsAre(
          "--collector.service.services-where: \"State='x'\" cannot be converted to a pattern, so "
          "everything is read; write include and exclude with regular expressions"));
}

TEST(Select, AConditionOfWqlInAPattern_IsReadAsOne) {
  const auto filters = [](const std::string& option, const std::string& value) {
    return selected("service", {setting("collector.service." + option, value)});
  };
  const auto names = filters("include", " Name='a' OR Name='b.c' ");
  EXPECT_THAT(names.selected.facts.at(0).rows.include, ElementsAre("(?i)a", "(?i)b\\.c"));
  EXPECT_THAT(names.notes, ElementsAre(HasSubstr("is a WQL condition")));
  EXPECT_THAT(names.lost, IsEmpty());
  const auto rest = filters("include", "name <> 'a' AND NOT name LIKE 'b%'");
  EXPECT_THAT(rest.selected.facts.at(0).rows.include, IsEmpty());
  EXPECT_THAT(rest.selected.facts.at(0).rows.exclude, ElementsAre("(?i)a", "(?i)b.*"));
  const auto excluded = filters("exclude", "(Name=\"a\")");
  EXPECT_THAT(excluded.selected.facts.at(0).rows.exclude, ElementsAre("(?i)a"));
  EXPECT_THAT(filters("exclude", "Name<>'a'").selected.facts.at(0).rows.include,
              ElementsAre("(?i)a"));
  const auto mixed = filters("exclude", "Name LIKE 'a%' AND NOT Name LIKE 'ab%'");
  EXPECT_THAT(mixed.lost, ElementsAre(HasSubstr("is a WQL condition, not a regular")));
  EXPECT_THAT(mixed.selected.facts.at(0).rows.include, IsEmpty());
  EXPECT_THAT(mixed.selected.facts.at(0).rows.exclude, IsEmpty());
  const auto unclear = filters("include", "StartMode='Auto' AND Name='a'");
  EXPECT_THAT(unclear.lost, ElementsAre(HasSubstr("is a WQL condition, not a regular")));
  EXPECT_THAT(unclear.selected.facts.at(0).rows.include, IsEmpty());
  for (const char* pattern : {"name", "Name.*", "windows_exporter", "name like a", "'a'"}) {
    const auto regex = filters("include", pattern);
    EXPECT_THAT(regex.selected.facts.at(0).rows.include, ElementsAre(pattern)) << pattern;
  }
}

TEST(Select, CommandLines_AreTakenOverOnlyIfTheyAreAskedFor) {
  EXPECT_THAT(topics(selected("process", {})), IsEmpty());
  const auto usual = selected("process", {});
  EXPECT_THAT(usual.lost, IsEmpty());
  EXPECT_THAT(usual.notes, Contains(HasSubstr("here: process: windows_process_info comes from "
                                              "counters, without owners and command lines")));
  const auto off = selected("process", {setting("collector.process.cmdline", "false")});
  EXPECT_THAT(off.lost, IsEmpty());
  EXPECT_THAT(off.notes, Contains(HasSubstr("--collector.process.cmdline: windows_process_info")));
  const auto asked = selected("process", {setting("collector.process.cmdline", "true"),
                                          setting("collector.process.include", "a")});
  EXPECT_THAT(topics(asked), ElementsAre(FactTopic::kProcesses));
  EXPECT_THAT(asked.selected.facts.at(0).rows.include, ElementsAre("a"));
  EXPECT_THAT(asked.notes, ElementsAre(HasSubstr("passwords")));
}

TEST(Select, TextFiles_AreReadFromTheirFolders) {
  const auto folders = [](const Settings& settings) {
    return selected("textfile", settings).selected.facts.at(0).folders;
  };
  EXPECT_THAT(folders({}), ElementsAre("C:\\we\\textfile_inputs"));
  EXPECT_THAT(folders({setting("collector.textfile.directories", "a,b")}), ElementsAre("a", "b"));
  EXPECT_THAT(folders({setting("collector.textfile.directory", "a")}), ElementsAre("a"));
  EXPECT_THAT(folders({setting("collector.textfile.directories", " , ")}),
              ElementsAre("C:\\we\\textfile_inputs"));
}

TEST(Select, TextFiles_InFoldersThatThisProgramCannotHave_AreLost) {
  std::string many;
  for (int i = 0; i < 34; ++i) many += 'd' + std::to_string(i) + ',';
  const auto result = selected(
      "textfile", {setting("collector.textfile.directories", many + std::string(1025, 'x'))});
  EXPECT_THAT(result.selected.facts.at(0).folders, SizeIs(32));
  EXPECT_THAT(result.lost, ElementsAre(HasSubstr("1025 bytes"), HasSubstr("the folder d33 "),
                                       HasSubstr("d32 ")));
  const auto none =
      selected("textfile", {setting("collector.textfile.directories", std::string(1025, 'x'))});
  EXPECT_THAT(none.selected.facts, IsEmpty());
  EXPECT_THAT(none.lost, SizeIs(1));
}

TEST(Select, ACollectorWithoutAnyPart_IsNamed) {
  EXPECT_THAT(selected("mssql", {setting("collector.mssql.enabled", "")}).notes,
              ElementsAre(HasSubstr("here: mssql: no part of it is enabled")));
}

TEST(Select, SqlServer_IsASetUnlessPartsAreChosen) {
  const auto whole = selected("mssql", {});
  EXPECT_THAT(whole.selected.sets, ElementsAre("mssql"));
  EXPECT_THAT(whole.selected.entries, IsEmpty());
  EXPECT_THAT(topics(whole), ElementsAre(FactTopic::kSqlServers));
  const auto part = selected("mssql", {setting("collector.mssql.enabled", "Locks")});
  EXPECT_THAT(part.selected.sets, IsEmpty());
  EXPECT_THAT(part.selected.entries,
              ElementsAre(Field(&Entry::names, ElementsAre("SQLServer:Locks")),
                          Field(&Entry::names, ElementsAre("MSSQL$*:Locks"))));
  EXPECT_THAT(topics(part), IsEmpty());
}

TEST(Select, CountsCollectorsThatAreTakenOver) {
  EXPECT_EQ(selected("cpu,os,memory,nosuch,container", {}).selected.collectors, 3U);
  EXPECT_EQ(selected_custom("- object: A\n- object: B").collectors, 1U);
}

TEST(Select, EachCollector_IsTakenOverOrItsLossIsExplained) {
  for (const Collector& collector : collectors()) {
    const auto result = selected(std::string(collector.name), {});
    const Selected& some = result.selected;
    const bool any = !some.entries.empty() || !some.facts.empty() || !some.sets.empty();
    EXPECT_TRUE(any || !result.lost.empty() || collector.name.starts_with("perf"))
        << collector.name;
    EXPECT_EQ(some.collectors, is_missing(collector) ? 0U : 1U) << collector.name;
  }
}

}  // namespace
}  // namespace winperf::migration
