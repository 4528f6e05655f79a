// The page by windows_exporter's names, in both formats.
#include <gmock/gmock.h>

#include <algorithm>

#include "exporter/text/own_metrics.h"
#include "exporter/text/sample_writer.h"
#include "tests/exporter/support/own_series.h"
#include "tests/exporter/support/sample_builder.h"
#include "tests/support/sample_arrays.h"

namespace winperf {
namespace {

using namespace testing;  // NOLINT: builders of this room's tests
using ::testing::HasSubstr;
using ::testing::Not;

using enum MetricProfile;

std::string profile_page(const Sample& sample, std::vector<MetricProfile> profiles,
                         PageFormat format = PageFormat::kText,
                         std::vector<CountersetCounts>* counts = nullptr) {
  MappingOptions options;
  options.profiles = std::move(profiles);
  std::string out;
  const auto all = SampleWriter(options).append(out, sample, format);
  if (counts != nullptr) *counts = all;
  return out;
}

std::shared_ptr<Sample> interfaces() {
  CountersetSample nics = values(object("Network Interface",
                                        {counter("Packets Received Errors", kLargeRawCount),
                                         counter("Bytes Sent/sec", kBulkCount)},
                                        true),
                                 {instance("Intel[R] #2", 0), instance("_Total", 1)});
  nics.raw = by_rows<std::uint64_t>(nics, {3, 500, 9, 900});
  std::ranges::copy(nics.raw, totals(nics).begin());
  return sample(1, {state("Network Interface", std::move(nics))});
}

TEST(ProfilePage, HasTheNamesThatAreWantedAlone) {
  const auto nics = interfaces();
  const std::string own = profile_page(*nics, {kWinperf});
  EXPECT_THAT(own, Not(HasSubstr("windows_")));
  const std::string other = profile_page(*nics, {kWindowsExporter});
  EXPECT_THAT(other, Not(HasSubstr("winperf_")));
  EXPECT_THAT(other, HasSubstr("\nwindows_net_bytes_sent_total{nic=\"Intel[R] #2\"} 500\n"));
  EXPECT_THAT(other, HasSubstr("\n# TYPE windows_net_bytes_sent_total counter\n"));
  EXPECT_THAT(other, Not(HasSubstr("_Total")));
  const std::string both = profile_page(*nics, {kWinperf, kWindowsExporter});
  EXPECT_EQ(both.size(), own.size() + other.size());
}

// What is a counter without _total can't be one there; nor can one beside it that has the rest of
// its name.
TEST(ProfilePage, HasTheSameNamesInOpenMetrics) {
  const auto nics = interfaces();
  const std::string page =
      profile_page(*nics, {kWindowsExporter, kWindowsExporterLegacy}, PageFormat::kOpenMetrics);
  for (const char* part : {"# TYPE windows_net_packets_received_errors unknown\n",
                           "\nwindows_net_packets_received_errors{nic=\"Intel[R] #2\"} 3\n",
                           "# TYPE windows_net_packets_received_errors_total unknown\n",
                           "\nwindows_net_packets_received_errors_total{nic=\"Intel[R] #2\"} 3\n",
                           "# TYPE windows_net_bytes_sent counter\n",
                           "\nwindows_net_bytes_sent_total{nic=\"Intel[R] #2\"} 500\n"})
    EXPECT_THAT(page, HasSubstr(part));
  const std::string alone = profile_page(*nics, {kWindowsExporter}, PageFormat::kOpenMetrics);
  EXPECT_THAT(alone, HasSubstr("# TYPE windows_net_packets_received_errors counter\n"));
}

TEST(ProfilePage, ACountersetThatIsSampledTwiceHasItsSeriesOnce) {
  auto twice = interfaces();
  twice->countersets.push_back(twice->countersets.front());
  std::vector<CountersetCounts> counts;
  const std::string page = profile_page(*twice, {kWindowsExporter}, PageFormat::kText, &counts);
  EXPECT_EQ(page, profile_page(*interfaces(), {kWindowsExporter}));
  EXPECT_EQ(counts[0].series, 2U);
  EXPECT_EQ(counts[1].duplicates, 2U);
}

TEST(ProfilePage, InstancesWithoutAPlaceAreCounted) {
  CountersetSample workers =
      values(object("W3SVC_W3WP", {counter("Active Requests", kRawCount)}, true),
             {instance("12_Pool", 0), instance("Pool", 1)});
  std::vector<CountersetCounts> counts;
  const std::string page = profile_page(*sample(1, {state("W3SVC_W3WP", std::move(workers))}),
                                        {kWindowsExporter}, PageFormat::kText, &counts);
  EXPECT_THAT(page, HasSubstr("{pid=\"12\",app=\"Pool\"} 0\n"));
  EXPECT_EQ(counts[0].unplaced, 1U);
}

TEST(ProfilePage, ValueLabelsAndNumbersOfInstances) {
  CountersetSample clr =
      values(object(".NET CLR Memory",
                    {counter("# Induced GC", kRawCount), counter("Process ID", kRawCount)}, true),
             {instance("_Global_", 0), instance("w3wp", 1)});
  clr.raw = by_rows<std::uint64_t>(clr, {1, 0, 2, 4711});
  CountersetSample processors = values(
      object("Processor Information", {counter("Parking Status", kRawCount)}, true),
      {instance("0,0", 0), instance("0,1", 1), instance("0,_Total", 2), instance("_Total", 3)});
  const std::string page =
      profile_page(*sample(1, {state(".NET CLR Memory", std::move(clr)),
                               state("Processor Information", std::move(processors))}),
                   {kWindowsExporter});
  EXPECT_THAT(page, HasSubstr("\nwindows_netframework_clrmemory_induced_gc_total{process=\"w3wp\","
                              "process_id=\"4711\"} 2\n"));
  EXPECT_THAT(page, Not(HasSubstr("_Global_")));
  EXPECT_THAT(page, HasSubstr("\nwindows_cpu_logical_processor 2\n"));
}

// By series that the page could have, of all names together.
TEST(ProfilePage, CountsAgainstTheLimitOfSeries) {
  MappingOptions options;
  options.profiles = {kWinperf, kWindowsExporter};
  options.max_series = 4;  // 4 of our own, 2 of windows_exporter's
  std::string out;
  const auto counts = SampleWriter(options).append(out, *interfaces());
  EXPECT_EQ(counts[0].series, 0U);
  EXPECT_GT(counts[0].no_room, 4U);
}

const FactSnapshot kNoFacts;
const Sample kNoSample;
const BuildInfo kBuild{
    .version = "1.2.3", .revision = "abc", .compiler = "gcc", .os = "windows", .arch = "x86_64"};

// "name{label}=value" of each metric.
std::vector<std::string> series_texts(const OwnMetrics& metrics,
                                      const PageSelection& selection = {}) {
  std::vector<std::string> list;
  for (const auto& family : testing::collected(metrics, selection))
    for (const auto& metric : family.metric)
      list.push_back(family.name +
                     (metric.label.empty() ? "" : '{' + metric.label.front().value + '}') + '=' +
                     std::to_string(static_cast<int>(metric.gauge.value)));
  return list;
}

TEST(ProfileMetrics, SayOfEachCollectorWhatItsCountersetsDo) {
  CountersetState v4 = state("TCPv4", values(object("TCPv4", {})));
  v4.duration_seconds = 2;
  CountersetState v6;
  v6.name = "tcpv6";
  v6.duration_seconds = 3;
  v6.error = Error{.code = ErrorCode::kTimedOut};
  CountersetState other = state("Something else", values(object("Something else", {})));
  const auto two = sample(1, {v4, v6, other});
  const MetricProfile wanted[] = {kWinperf, kWindowsExporter};
  EXPECT_THAT(series_texts(profile_metrics(*two, kNoFacts, wanted, kBuild)),
              ::testing::ElementsAre("windows_exporter_scrape_duration_seconds=0",
                                     "windows_exporter_build_info{amd64}=1",
                                     "windows_exporter_collector_duration_seconds{tcp}=3",
                                     "windows_exporter_collector_success{tcp}=0",
                                     "windows_exporter_collector_timeout{tcp}=1"));
  const auto good = sample(1, {v4});
  EXPECT_THAT(series_texts(profile_metrics(*good, kNoFacts, wanted, kBuild)),
              ::testing::Contains("windows_exporter_collector_success{tcp}=1"));
  const MetricProfile own[] = {kWinperf};
  EXPECT_THAT(series_texts(profile_metrics(*two, kNoFacts, own, kBuild)), ::testing::IsEmpty());
}

TEST(ProfileMetrics, SayOfEachPartOfSqlServer) {
  CountersetState locks = state("MSSQL$A:Locks", values(object("MSSQL$A:Locks", {})));
  locks.duration_seconds = 4;
  const MetricProfile wanted[] = {kWindowsExporter};
  const auto one = sample(1, {locks});
  const OwnMetrics metrics = profile_metrics(*one, kNoFacts, wanted, kBuild);
  const auto families = testing::collected(metrics);
  const auto success = std::ranges::find(families, "windows_mssql_collector_success",
                                         &prometheus::MetricFamily::name);
  ASSERT_NE(success, families.end());
  ASSERT_EQ(success->metric.size(), 1U);
  EXPECT_EQ(success->metric[0].gauge.value, 1);
  const auto& labels = success->metric[0].label;
  ASSERT_EQ(labels.size(), 2U);
  EXPECT_EQ(labels[0].value, "locks");
  EXPECT_EQ(labels[1].name + '=' + labels[1].value, "mssql_instance=A");
  EXPECT_THAT(series_texts(metrics),
              ::testing::Contains("windows_mssql_collector_duration_seconds{locks}=4"));
}

FactState textfiles(std::vector<std::string> problems) {
  FactTable table;
  table.problems = std::move(problems);
  return {.topic = FactTopic::kTextfile,
          .table = std::make_shared<const FactTable>(std::move(table)),
          .success = true,
          .attempts = 1};
}

std::vector<std::string> of_facts(FactState state, MetricProfile profile,
                                  const PageSelection& selection = {}) {
  const MetricProfile wanted[] = {profile};
  const FactSnapshot facts{.topics = {std::move(state)}};
  return series_texts(profile_metrics(kNoSample, facts, wanted, kBuild), selection);
}

TEST(ProfileMetrics, ARefusedTextFile_IsAFailureOfItsCollector) {
  constexpr const char* kGood = "windows_exporter_collector_success{textfile}=1";
  constexpr const char* kBad = "windows_exporter_collector_success{textfile}=0";
  EXPECT_THAT(of_facts(textfiles({}), kWindowsExporter), ::testing::Contains(kGood));
  for (const char* problem : {"d/a.prom: line 3: it is there twice", "there is no folder d"})
    EXPECT_THAT(of_facts(textfiles({problem}), kWindowsExporter), ::testing::Contains(kBad));
  FactState failed = textfiles({});
  failed.success = false;
  EXPECT_THAT(of_facts(failed, kWindowsExporter), ::testing::Contains(kBad));
  FactState services = textfiles({"a service's start mode cannot be read"});
  services.topic = FactTopic::kServices;
  EXPECT_THAT(of_facts(services, kWindowsExporter),
              ::testing::Contains("windows_exporter_collector_success{service}=1"));
}

TEST(ProfileMetrics, OlderNames_AreInTheLegacyProfileAlone) {
  EXPECT_THAT(of_facts(textfiles({}), kWindowsExporterLegacy),
              ::testing::ElementsAre("windows_textfile_scrape_error=0"));
  FactState failed = textfiles({});
  failed.success = false;
  for (const FactState& state : {textfiles({"d/a.prom: it is not a regular file"}), failed})
    EXPECT_THAT(of_facts(state, kWindowsExporterLegacy),
                ::testing::ElementsAre("windows_textfile_scrape_error=1"));
  EXPECT_THAT(of_facts({.topic = FactTopic::kTextfile}, kWindowsExporterLegacy),
              ::testing::IsEmpty())
      << "before it was read";
  const PageSelection of_time({.topics = {FactTopic::kTime}}, nullptr);
  EXPECT_THAT(of_facts(textfiles({}), kWindowsExporterLegacy, of_time), ::testing::IsEmpty());
  CountersetState slow = state("TCPv4", values(object("TCPv4", {})));
  slow.duration_seconds = 7;
  CountersetState fast = state("UDPv4", values(object("UDPv4", {})));
  const MetricProfile legacy[] = {kWindowsExporterLegacy};
  const auto three = sample(1, {fast, slow, fast});
  EXPECT_THAT(series_texts(profile_metrics(*three, kNoFacts, legacy, kBuild)),
              ::testing::ElementsAre("windows_exporter_perflib_snapshot_duration_seconds=7"));
}

TEST(ProfileMetrics, SayHowLongThePageTakes) {
  const MetricProfile wanted[] = {kWindowsExporter};
  const PageSelection one({.names = {"windows_exporter_scrape_duration_seconds"}}, nullptr);
  const OwnMetrics metrics =
      profile_metrics(kNoSample, kNoFacts, wanted, kBuild, std::chrono::seconds(3));
  EXPECT_THAT(series_texts(metrics, one),
              ::testing::ElementsAre("windows_exporter_scrape_duration_seconds=3"));
  const PageSelection part({.countersets = {"Memory"}}, nullptr);
  EXPECT_THAT(series_texts(metrics, part),
              ::testing::Contains("windows_exporter_scrape_duration_seconds=3"));
}

InstanceSchema process(std::string name, std::uint32_t ordinal, std::uint64_t id) {
  InstanceSchema made = instance(std::move(name), ordinal);
  made.process_id = id;
  return made;
}

// By the counters alone, so without what only facts know.
TEST(ProfilePage, ProcessesAreNamedByTheirCounters) {
  CountersetSample processes = values(
      object("Process",
             {counter("ID Process", kRawCount), counter("Creating Process ID", kRawCount)}, true),
      {process("Idle", 0, 0), process("w3wp#1", 1, 4711), instance("_Total", 2)});
  processes.raw = by_rows<std::uint64_t>(processes, {0, 0, 4711, 812, 0, 0});
  const auto all = sample(1, {state("Process", std::move(processes))});
  const std::string page = profile_page(*all, {kWindowsExporter});
  EXPECT_THAT(
      page,
      HasSubstr("\nwindows_process_info{process=\"w3wp\",process_id=\"4711\",process_group_id=\"\","
                "owner=\"\",cmdline=\"\",creating_process_id=\"812\"} 1\n"));
  EXPECT_THAT(page, HasSubstr("windows_process_info{process=\"Idle\",process_id=\"0\""));
  EXPECT_THAT(page, Not(HasSubstr("_Total")));
  MappingOptions options;
  options.profiles = {kWindowsExporter};
  options.of_facts = {"windows_process_info"};
  std::string beside_facts;
  SampleWriter(options).append(beside_facts, *all);
  EXPECT_THAT(beside_facts, Not(HasSubstr("windows_process_info")));
}

TEST(ProfileMetrics, AreTheOnesThatAreListed) {
  const MetricProfile wanted[] = {kWindowsExporter, kWindowsExporterLegacy};
  std::vector<std::string> listed;
  std::vector<std::string> served;
  const auto one = sample(1, {state("TCPv4", values(object("TCPv4", {}))),
                              state("MSSQL$A:Locks", values(object("MSSQL$A:Locks", {})))});
  for (const MetricProfile profile : wanted)
    for (const OwnFamily* const family : own_profile_families(profile))
      listed.emplace_back(family->name);
  const FactSnapshot facts{.topics = {textfiles({})}};
  for (const auto& family : testing::collected(profile_metrics(*one, facts, wanted, kBuild)))
    served.push_back(family.name);
  EXPECT_THAT(served, ::testing::UnorderedElementsAreArray(listed));
}

}  // namespace
}  // namespace winperf
