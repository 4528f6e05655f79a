#include "exporter/text/facts_part.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "exporter/profiles/collector.h"
#include "exporter/text/own_metrics.h"
#include "exporter/text/page_format.h"
#include "tests/exporter/support/own_series.h"

namespace winperf {
namespace {

using std::chrono::seconds;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr SteadyTime kPageTime{seconds(1000)};
constexpr LeftOutFacts kNothingLeftOut{};

FactSnapshot snapshot(FactTopic topic, FactTable table) {
  FactSnapshot facts;
  facts.topics.push_back({.topic = topic,
                          .stale_after = seconds(60),
                          .table = std::make_shared<const FactTable>(std::move(table)),
                          .read_at = kPageTime - seconds(10),
                          .success = true,
                          .duration_seconds = 0.25,
                          .attempts = 1});
  return facts;
}

std::string page(const FactSnapshot& facts, std::vector<MetricProfile> profiles,
                 const PageFilter& filter = {}, SteadyTime now = kPageTime, std::size_t room = 1000,
                 PageDetail detail = PageDetail::kFull) {
  std::string text;
  const WrittenFacts written = append_facts(text, PageFormat::kText, facts, profiles, now,
                                            PageSelection(filter, nullptr), room, detail);
  append_times(text, PageFormat::kText, written.times, 1.5e9);
  return text;
}

FactTable services() {
  FactTable table;
  table.add()
      .text("name", "Spooler")
      .text("display_name", "Print \"Spooler\"")
      .text("state", "running")
      .text("start_mode", "auto")
      .number("process_id", 7)
      .number("process_started", 1.25);
  return table;
}

// By windows_exporter's names all states are there, because its dashboards expect them.
TEST(FactsPart, OfTheUsualPage_HasTheCurrentStateOfOurNames) {
  const std::string text = page(snapshot(FactTopic::kServices, services()),
                                {MetricProfile::kWinperf, MetricProfile::kWindowsExporter}, {},
                                kPageTime, 1000, PageDetail::kUsual);
  EXPECT_THAT(text, HasSubstr("winperf_service_state{name=\"Spooler\",state=\"running\"} 1\n"));
  EXPECT_THAT(text, Not(HasSubstr("winperf_service_state{name=\"Spooler\",state=\"stopped\"}")));
  EXPECT_THAT(text, HasSubstr("windows_service_state{name=\"Spooler\",state=\"stopped\"} 0\n"));
}

TEST(FactsPart, HasOneSeriesForEachState) {
  const std::string text =
      page(snapshot(FactTopic::kServices, services()), {MetricProfile::kWindowsExporter});
  EXPECT_THAT(text, HasSubstr("# TYPE windows_service_state gauge\n"));
  EXPECT_THAT(text, HasSubstr("windows_service_state{name=\"Spooler\",state=\"running\"} 1\n"));
  EXPECT_THAT(text, HasSubstr("windows_service_state{name=\"Spooler\",state=\"stopped\"} 0\n"));
  EXPECT_THAT(text, HasSubstr("windows_service_process{name=\"Spooler\",process_id=\"7\"} 1.25\n"));
  EXPECT_THAT(text, HasSubstr("display_name=\"Print \\\"Spooler\\\"\""));
  EXPECT_THAT(text, Not(HasSubstr("winperf_")));
}

TEST(FactsPart, Scopes_HaveTheNamesOfBothProfiles) {
  FactTable table;
  table.add()
      .text("scope", "10.0.0.0/24")
      .text("name", "Office")
      .text("superscope_id", "0")
      .text("state", "DisabledSwitched")
      .number("free", 40)
      .number("in_use", 60)
      .number("reservations", 3);
  const std::string text = page(snapshot(FactTopic::kDhcpScopes, table),
                                {MetricProfile::kWinperf, MetricProfile::kWindowsExporter});
  for (const char* line :
       {"winperf_dhcp_scope_info{scope=\"10.0.0.0/24\",name=\"Office\",superscope=\"\"} 1\n",
        "winperf_dhcp_scope_reservations{scope=\"10.0.0.0/24\"} 3\n",
        "winperf_dhcp_scope_state{scope=\"10.0.0.0/24\",state=\"DisabledSwitched\"} 1\n",
        "windows_dhcp_scope_info{name=\"Office\",superscope_name=\"\",superscope_id=\"0\","
        "scope=\"10.0.0.0/24\"} 1\n",
        "windows_dhcp_scope_state{scope=\"10.0.0.0/24\",state=\"Enabled\"} 0\n",
        "windows_dhcp_scope_addresses_free{scope=\"10.0.0.0/24\"} 40\n",
        "windows_dhcp_scope_addresses_in_use{scope=\"10.0.0.0/24\"} 60\n",
        "windows_dhcp_scope_reserved_address{scope=\"10.0.0.0/24\"} 3\n"})
    EXPECT_THAT(text, HasSubstr(line));
  EXPECT_THAT(text, Not(HasSubstr("_server{")));
  EXPECT_THAT(text, Not(HasSubstr("pending_offers{")));
}

TEST(FactsPart, StatisticsOfDns_AreCounters) {
  FactTable table;
  table.add()
      .text("name", "NxDomain")
      .text("collection", "Error Stats")
      .text("server", "srv01")
      .number("value", 7);
  table.add().text("name", "Refused").text("collection", "Error Stats").text("server", "srv01");
  const std::string text = page(snapshot(FactTopic::kDnsStatistics, table),
                                {MetricProfile::kWinperf, MetricProfile::kWindowsExporter});
  EXPECT_THAT(text, HasSubstr("# TYPE windows_dns_wmi_stats_total counter\n"));
  EXPECT_THAT(text, HasSubstr("windows_dns_wmi_stats_total{name=\"NxDomain\",collection_name="
                              "\"Error Stats\",dns_server=\"srv01\"} 7\n"));
  EXPECT_THAT(text, HasSubstr("winperf_dns_statistics_total{name=\"NxDomain\",collection="
                              "\"Error Stats\"} 7\n"));
  EXPECT_THAT(text, Not(HasSubstr("Refused")));
}

TEST(FactsPart, WhatIsNotKnown_HasNoSeries) {
  FactTable table;
  table.add().text("name", "Secret");
  const std::string text = page(snapshot(FactTopic::kServices, table), {MetricProfile::kWinperf});
  EXPECT_THAT(text, HasSubstr("winperf_service_info{name=\"Secret\""));
  EXPECT_THAT(text, Not(HasSubstr("winperf_service_state")));
  EXPECT_THAT(text, Not(HasSubstr("start_time")));
}

TEST(FactsPart, FactsThatAreTooOld_Are_Left_Out) {
  const FactSnapshot facts = snapshot(FactTopic::kServices, services());
  EXPECT_NE(page(facts, {MetricProfile::kWinperf}), "");
  EXPECT_EQ(page(facts, {MetricProfile::kWinperf}, {}, kPageTime + seconds(51)), "");
}

TEST(FactsPart, ASecondSeriesWithTheSameLabels_IsCountedAndLeftOut) {
  FactTable table = services();
  table.rows.push_back(table.rows.front());
  std::string text;
  const MetricProfile profiles[]{MetricProfile::kWinperf};
  const LeftOutFacts left_out =
      append_facts(text, PageFormat::kText, snapshot(FactTopic::kServices, table), profiles,
                   kPageTime, {}, 1000)
          .left_out;
  EXPECT_EQ(text, page(snapshot(FactTopic::kServices, services()), {MetricProfile::kWinperf}));
  EXPECT_GT(left_out.at(static_cast<std::size_t>(FactTopic::kServices)), 0U);
}

TEST(FactsPart, HasNoMoreSeriesOfATopicThanMayBeThere) {
  const std::string text =
      page(snapshot(FactTopic::kServices, services()), {MetricProfile::kWinperf}, {}, kPageTime, 3);
  EXPECT_EQ(std::ranges::count(text, '\n') - 2 * 2, 3) << text;
}

TEST(FactsPart, NumbersAreConverted_AndPlacesAreStates) {
  FactTable disks;
  disks.add().text("name", "D0").text("status", "OK").number("availability", 3);
  const std::string text =
      page(snapshot(FactTopic::kDisks, disks), {MetricProfile::kWindowsExporter});
  EXPECT_THAT(text, HasSubstr("availability=\"Running / Full Power\"} 1\n"));
  EXPECT_THAT(text, HasSubstr("windows_diskdrive_status{name=\"D0\",status=\"OK\"} 1\n"));
  FactTable processors;
  processors.add().text("device_id", "CPU0").number("l2_cache", 2048);
  EXPECT_THAT(page(snapshot(FactTopic::kProcessors, processors), {MetricProfile::kWindowsExporter}),
              HasSubstr("windows_cpu_info_l2_cache_size{device_id=\"CPU0\"} 2\n"));
}

TEST(FactsPart, ListsInAField_AreSeries) {
  FactTable adapters;
  adapters.add()
      .text("nic", "N")
      .text("addresses", "ipv4 10.0.0.5;ipv6 2001:db8::5")
      .text("status", "up");
  const std::string text =
      page(snapshot(FactTopic::kAdapters, adapters),
           {MetricProfile::kWindowsExporter, MetricProfile::kWindowsExporterLegacy});
  EXPECT_THAT(text, HasSubstr("{nic=\"N\",family=\"ipv6\",address=\"2001:db8::5\"} 1\n"));
  EXPECT_THAT(text, HasSubstr("windows_net_interface_status{nic=\"N\"} 1\n"));
  FactTable printers;
  printers.add().text("printer", "P").text("jobs", "Printing 2;Pending Deletion 1");
  EXPECT_THAT(
      page(snapshot(FactTopic::kPrinters, printers), {MetricProfile::kWinperf}),
      HasSubstr("winperf_printer_jobs_by_status{printer=\"P\",status=\"Pending Deletion\"} 1\n"));
}

TEST(FactsPart, CountsRowsByType) {
  FactTable logons;
  for (const char* const type : {"service", "service", "network"}) logons.add().text("type", type);
  const std::string text =
      page(snapshot(FactTopic::kLogons, logons), {MetricProfile::kWindowsExporterLegacy});
  EXPECT_THAT(text, HasSubstr("windows_logon_logon_type{status=\"service\"} 2\n"));
  EXPECT_THAT(text, HasSubstr("windows_logon_logon_type{status=\"batch\"} 0\n"));
}

TEST(FactsPart, TheTimeIsThatOfThePage) {
  FactTable os;
  os.add().text("hostname", "h");
  EXPECT_THAT(page(snapshot(FactTopic::kOs, os), {MetricProfile::kWinperf}),
              HasSubstr("winperf_os_time_seconds 1.5e+09\n"));
}

TEST(FactsPart, AFilterAdmitsTopicsAndNames) {
  const FactSnapshot facts = snapshot(FactTopic::kServices, services());
  const std::vector profiles{MetricProfile::kWinperf};
  EXPECT_EQ(page(facts, profiles, {.countersets = {"Memory"}}), "");
  EXPECT_EQ(page(facts, profiles, {.topics = {FactTopic::kOs}}), "");
  EXPECT_EQ(page(facts, profiles, {.topics = {FactTopic::kServices}}), page(facts, profiles));
  const std::string one = page(facts, profiles, {.names = {"winperf_service_info"}});
  EXPECT_EQ(std::ranges::count(one, '\n'), 3) << one;
}

TEST(FactsPart, SaysHowEachTopicWasRead) {
  FactTable table = services();
  table.problems = {"one", "two"};
  const FactSnapshot facts = snapshot(FactTopic::kServices, table);
  const auto families = testing::collected(facts_metrics(facts, kPageTime, kNothingLeftOut));
  std::vector<std::string> found;
  for (const auto& family : families)
    for (const auto& metric : family.metric)
      found.push_back(family.name + ' ' + metric.label.at(0).value + ' ' +
                      std::to_string(metric.gauge.value).substr(0, 4));
  EXPECT_THAT(found, ::testing::ElementsAre("winperf_exporter_facts_success services 1.00",
                                            "winperf_exporter_facts_timeout services 0.00",
                                            "winperf_exporter_facts_duration_seconds services 0.25",
                                            "winperf_exporter_facts_age_seconds services 10.0",
                                            "winperf_exporter_facts_rows services 1.00",
                                            "winperf_exporter_facts_problems services 2.00",
                                            "winperf_exporter_facts_left_out services 0.00"));
}

TEST(FactTables, NameEachMetricOnce) {
  std::set<std::string_view> names;
  for (const MetricProfile profile : {MetricProfile::kWinperf, MetricProfile::kWindowsExporter,
                                      MetricProfile::kWindowsExporterLegacy})
    for (const FactMetric& metric : fact_metrics(profile)) {
      EXPECT_TRUE(names.insert(metric.name).second) << metric.name;
      EXPECT_TRUE(metric.help.ends_with('.')) << metric.name;
      const bool has_states = metric.kind == FactKind::kStates || metric.kind == FactKind::kCounts;
      EXPECT_EQ(has_states || metric.kind == FactKind::kIs, !metric.states.empty()) << metric.name;
    }
}

// In OpenMetrics a counter's family lacks "_total".
TEST(FactTables, NameEachFamilyOnce) {
  std::set<std::string_view> families;
  for (const MetricProfile profile : {MetricProfile::kWinperf, MetricProfile::kWindowsExporter,
                                      MetricProfile::kWindowsExporterLegacy})
    for (const FactMetric& metric : fact_metrics(profile))
      EXPECT_TRUE(
          families.insert(family_of(metric.name, metric.is_counter ? "counter" : "gauge")).second)
          << metric.name;
}

TEST(FactsPart, InOpenMetrics_ACounterWithoutTotalIsUnknown) {
  FactTable printers;
  printers.add().text("printer", "P").number("jobs_total", 3);
  const MetricProfile profiles[]{MetricProfile::kWinperf, MetricProfile::kWindowsExporter};
  std::string text;
  append_facts(text, PageFormat::kOpenMetrics, snapshot(FactTopic::kPrinters, printers), profiles,
               kPageTime, {}, 1000);
  EXPECT_THAT(text, HasSubstr("# TYPE winperf_printer_jobs counter\n"));
  EXPECT_THAT(text, HasSubstr("# TYPE windows_printer_job_count unknown\n"));
}

TEST(FactTables, EachTopicIsShownByOurOwnNames_ButForOlderDashboards) {
  const MetricProfile own[]{MetricProfile::kWinperf};
  for (const FactTopicInfo& info : kFactTopics)
    EXPECT_EQ(is_shown(info.topic, own), info.topic != FactTopic::kServiceStatus) << info.name;
}

TEST(FactsPart, TheTimeOfATextFile_IsAFact) {
  FactTable files;
  files.add().text("file", "d/a.prom").text("name", "a.prom").number("mtime", 5);
  files.add().text("file", "d/sub/a.prom").text("name", "a.prom").number("mtime", 6);
  const auto facts = snapshot(FactTopic::kTextfile, files);
  const std::string own = page(facts, {MetricProfile::kWinperf});
  EXPECT_THAT(own, HasSubstr("winperf_textfile_mtime_seconds{file=\"d/a.prom\"} 5\n"));
  EXPECT_THAT(own, HasSubstr("winperf_textfile_mtime_seconds{file=\"d/sub/a.prom\"} 6\n"));
  EXPECT_THAT(page(facts, {MetricProfile::kWindowsExporter}),
              EndsWith("\nwindows_textfile_mtime_seconds{file=\"a.prom\"} 5\n"));
}

}  // namespace
}  // namespace winperf
