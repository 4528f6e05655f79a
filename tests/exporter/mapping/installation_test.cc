#include "exporter/mapping/name_table.h"

#include <gmock/gmock.h>

#include "exporter/mapping/page_plan.h"
#include "tests/exporter/support/sample_builder.h"

namespace winperf {
namespace {

using namespace testing;  // NOLINT: builders of this room's tests
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::Not;

// "object label=value"
std::string text_of(std::string_view object) {
  const Installation found = installation_of(object);
  return found.object + ' ' + std::string(found.label) + '=' + found.value;
}

TEST(Installation, OfSqlServerAndItsAgentIsALabel) {
  EXPECT_EQ(text_of("SQLServer:Locks"), "SQLServer:Locks sql_instance=MSSQLSERVER");
  EXPECT_EQ(text_of("MSSQL$PAYROLL:Locks"), "SQLServer:Locks sql_instance=PAYROLL");
  EXPECT_EQ(text_of("mssql$Payroll:Locks"), "SQLServer:Locks sql_instance=Payroll");
  EXPECT_EQ(text_of("MSSQL$A$B:Broker/DBM Transport"),
            "SQLServer:Broker/DBM Transport sql_instance=A$B");
  EXPECT_EQ(text_of("MSSQL$MICROSOFT##WID:Databases"),
            "SQLServer:Databases sql_instance=MICROSOFT##WID");
  EXPECT_EQ(text_of("MSSQL$A:Replication: Agents"), "SQLServer:Replication: Agents sql_instance=A");
  EXPECT_EQ(text_of("SQLAgent:Jobs"), "SQLAgent:Jobs sql_instance=MSSQLSERVER");
  EXPECT_EQ(text_of("SQLAgent$PAYROLL:Jobs"), "SQLAgent:Jobs sql_instance=PAYROLL");
}

TEST(Installation, OfAnalysisAndReportingServicesIsALabel) {
  for (const char* const object : {"MSAS11:Cache", "MSAS16:Cache", "MSAS 2008:Cache"})
    EXPECT_EQ(text_of(object), "MSAS:Cache sql_instance=MSSQLSERVER") << object;
  EXPECT_EQ(text_of("MSOLAP$CUBES:Cache"), "MSAS:Cache sql_instance=CUBES");
  EXPECT_EQ(text_of("MSRS 2017 Windows Service"),
            "MSRS 2017 Windows Service sql_instance=MSSQLSERVER");
  EXPECT_EQ(text_of("MSRS 2017 Windows Service$REPORTS"),
            "MSRS 2017 Windows Service sql_instance=REPORTS");
  EXPECT_EQ(text_of("MSRS 2017$REPORTS:Windows Service"),
            "MSRS 2017 Windows Service sql_instance=REPORTS");
  EXPECT_EQ(text_of("ReportServer:Service"), "ReportServer:Service sql_instance=MSSQLSERVER");
  EXPECT_EQ(text_of("ReportServer$REPORTS:Service"), "ReportServer:Service sql_instance=REPORTS");
}

TEST(Installation, IsNoneOfOtherNames) {
  for (const char* const object :
       {"", "Memory", "Processor Information", "MSSQL$:Locks", "MSSQL$A", "MSSQL$Databases",
        "MSSQLSERVER:Locks", "SQLServer", "MSOLAP$", "MSAS:Cache", "MSAStuff:Cache", "MSRS",
        "SQL Server 2016 XTP Cursors", "A$B:C", ".NET Data Provider for SqlServer"})
    EXPECT_EQ(text_of(object), std::string(object) + " =") << object;
}

// The families of each of the objects on one page, with the labels of their sources.
std::vector<std::string> page_of(const std::vector<std::string>& objects) {
  std::vector<CountersetState> states;
  for (const std::string& name : objects)
    states.push_back(
        state(name, values(object(name, {counter("User Connections", kRawCount),
                                         counter("Batch Requests/sec", kCounterCounter, 7)}))));
  Mapper mapper({.values = MetricValues::kRaw});
  const auto page = sample(1, std::move(states));
  std::vector<std::string> lines;
  for (const PageFamily& family : mapper.plan(*page).families)
    for (const FamilySource& source : family.sources)
      lines.push_back(family.name + '{' + source.labels + '}' + (source.may_repeat ? "!" : ""));
  return lines;
}

TEST(Installation_OnThePage, GivesTheFamiliesOfTheDefaultOne) {
  EXPECT_THAT(
      page_of({"SQLServer:General", "MSSQL$A:General", "MSSQL$B:General"}),
      ElementsAre("winperf_sqlserver_general_batch_requests_total{sql_instance=\"MSSQLSERVER\"}",
                  "winperf_sqlserver_general_batch_requests_total{sql_instance=\"A\"}",
                  "winperf_sqlserver_general_batch_requests_total{sql_instance=\"B\"}",
                  "winperf_sqlserver_general_user_connections{sql_instance=\"MSSQLSERVER\"}",
                  "winperf_sqlserver_general_user_connections{sql_instance=\"A\"}",
                  "winperf_sqlserver_general_user_connections{sql_instance=\"B\"}"));
}

// A machine with one of them has the names that one with both has.
TEST(Installation_OnThePage, IsNamedAsOnEveryMachine) {
  for (const auto& [one, other] :
       {std::pair{"SQLServer:Locks", "MSSQL$A:Locks"},
        std::pair{"SQLAgent:Jobs", "SQLAgent$A:Jobs"}, std::pair{"MSAS16:Cache", "MSOLAP$A:Cache"},
        std::pair{"MSRS 2017 Web Service", "MSRS 2017 Web Service$A"},
        std::pair{"ReportServer:Service", "ReportServer$A:Service"}}) {
    const auto both = page_of({one, other});
    for (const char* const alone : {one, other})
      for (const std::string& line : page_of({alone})) EXPECT_THAT(both, Contains(line)) << alone;
    for (const std::string& line : both) EXPECT_THAT(line, ::testing::HasSubstr("sql_instance"));
  }
}

TEST(Installation_OnThePage, HasOneHelpWhateverTheIndices) {
  const auto help_of = [](std::vector<std::string> objects) {
    std::vector<CountersetState> states;
    std::uint32_t index = 1000;
    for (const std::string& name : objects) {
      const std::uint32_t counter_index = ++index;
      states.push_back(state(name, values(object(name, {counter("Users", kRawCount, counter_index)},
                                                 false, ++index))));
    }
    Mapper mapper({});
    const auto page = sample(1, std::move(states));
    return mapper.plan(*page).families.at(0).help;
  };
  const std::string help = help_of({"SQLServer:General"});
  EXPECT_THAT(help, ::testing::HasSubstr("[SQLServer:General\\Users, PERF_COUNTER_RAWCOUNT]"));
  EXPECT_EQ(help_of({"MSSQL$A:General"}), help);
  EXPECT_EQ(help_of({"SQLServer:General", "MSSQL$A:General", "MSSQL$B:General"}), help);
}

}  // namespace
}  // namespace winperf
