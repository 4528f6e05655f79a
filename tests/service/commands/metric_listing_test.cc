#include "service/commands/metric_listing.h"

#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "tests/exporter/support/sample_builder.h"

namespace winperf {
namespace {

using namespace testing;  // NOLINT: builders of the exporter's tests
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

ListedObject listed(CountersetSchema schema) { return {.schema = std::move(schema)}; }

CountersetConfig wanted(std::vector<std::string> names) {
  CountersetConfig counterset;
  counterset.label = names.front();
  counterset.names = std::move(names);
  return counterset;
}

Config sampling(std::vector<CountersetConfig> countersets) {
  Config config;
  config.countersets = std::move(countersets);
  config.metrics.values = MetricValues::kRaw;
  return config;
}

Listing disk_and_memory() {
  return {.objects = {listed(object("LogicalDisk",
                                    {counter("Disk Reads/sec", kBulkCount),
                                     counter("Disk Writes/sec", kBulkCount)},
                                    true, 236)),
                      listed(object("Memory", {counter("Available Bytes", kRawCount)}, false, 4))},
          .problems = {}};
}

TEST(MetricListing_OfCountersThatShareAMetric, HasItOnceWithEach) {
  const auto metrics = list_metrics(disk_and_memory(), sampling({wanted({"logicaldisk"})}), true);
  ASSERT_EQ(metrics.size(), 2U);
  EXPECT_EQ(metrics[0].name, "winperf_logical_disk_transfers_total");
  EXPECT_EQ(metrics[0].type, MetricType::kCounter);
  EXPECT_EQ(metrics[0].unit, "");
  EXPECT_THAT(metrics[0].labels, ElementsAre("volume", "direction"));
  ASSERT_EQ(metrics[0].sources.size(), 2U);
  EXPECT_EQ(metrics[0].sources[1].counter, "Disk Writes/sec");
  EXPECT_EQ(metrics[0].sources[1].labels, "direction=\"write\"");
  EXPECT_TRUE(metrics[0].sampled());
  EXPECT_EQ(metrics[1].unit, "bytes");
  EXPECT_FALSE(metrics[1].sampled());
  EXPECT_TRUE(metrics[1].labels.empty());
}

TEST(MetricListing_OfACounterset, TakesTheFirstAlternativeThatIsThere) {
  for (const auto& [names, memory_is_sampled] :
       {std::pair<std::vector<std::string>, bool>{{"Nothing", "Memory", "LogicalDisk"}, true},
        {{"LogicalDisk", "Memory"}, false},
        {{"4"}, true},
        {{"5"}, false}})
    EXPECT_EQ(list_metrics(disk_and_memory(), sampling({wanted(names)}), true)[1].sampled(),
              memory_is_sampled)
        << names.front();
}

TEST(MetricListing_OfInstances, HasTheLabelsThatTheyGetFromTheirNamesAndFromCountersLeftOut) {
  const Listing processes{
      .objects = {listed(object(
          "Process", {counter("ID Process", kRawCount), counter("a", kRawCount)}, true, 230))},
      .problems = {}};
  CountersetConfig counterset = wanted({"Process"});
  counterset.counters.include.push_back(*Pattern::compile("a"));
  counterset.label_pattern = *Pattern::compile("(?<pool>.*)_(?<process>.*)");
  const auto metrics = list_metrics(processes, sampling({counterset}), true);
  ASSERT_EQ(metrics.size(), 1U);
  EXPECT_THAT(metrics[0].labels, ElementsAre("process", "process_id", "pool"));
}

TEST(MetricListing_OfARecording, KnowsNoInterval) {
  Config config = sampling({wanted({"LogicalDisk"})});
  config.metrics.values = MetricValues::kCooked;
  const auto help = [&](bool is_live) {
    return list_metrics(disk_and_memory(), config, is_live)[0].help;
  };
  EXPECT_THAT(help(true), HasSubstr(" apart"));
  EXPECT_THAT(help(false), Not(HasSubstr(" apart")));
}

TEST(MetricListing_OfAV2Counterset, KnowsItByItsGuid) {
  Listing listing = disk_and_memory();
  listing.objects[1].schema.guid = parse_guid("{7a3a0e5c-2a0f-4c57-9e55-000000000102}");
  const char* const guid = "{7A3A0E5C-2A0F-4C57-9E55-000000000102}";
  EXPECT_TRUE(list_metrics(listing, sampling({wanted({guid})}), true)[1].sampled());
  EXPECT_FALSE(list_metrics(listing, sampling({wanted({"4"})}), true)[1].sampled());
}

TEST(MetricListing_OfAFilter, SamplesWhatItAccepts) {
  CountersetConfig reads = wanted({"LogicalDisk"});
  reads.counters.include = {Pattern::compile("Disk Reads.*").value()};
  const auto metrics = list_metrics(disk_and_memory(), sampling({reads}), true);
  EXPECT_TRUE(metrics[0].sources[0].sampled);
  EXPECT_FALSE(metrics[0].sources[1].sampled);
  EXPECT_TRUE(metrics[0].sampled());
}

// On the page it is shown, because what would tell it isn't there.
TEST(MetricListing_OfAFilter, HasWhatThePageHas) {
  Listing listing = disk_and_memory();
  listing.objects[0].schema.counters.push_back(counter("Disk Transfers/sec", kBulkCount));
  CountersetConfig all = wanted({"LogicalDisk"});
  all.counters.include = {Pattern::compile("Disk Transfers.*").value()};
  const auto metrics = list_metrics(listing, sampling({all}), true);
  EXPECT_EQ(metrics[0].name, "winperf_logical_disk_all_transfers_total");
  EXPECT_TRUE(metrics[0].sampled());
  EXPECT_EQ(metrics[1].name, "winperf_logical_disk_transfers_total");
  EXPECT_FALSE(metrics[1].sampled());
}

TEST(MetricListing_OfAnObjectAndItsSuccessor, HasThePagesNameForTheOneThatIsSampled) {
  const Listing listing{
      .objects = {listed(object("Processor", {counter("Interrupts/sec", kBulkCount)}, true)),
                  listed(object("Processor Information", {counter("Interrupts/sec", kBulkCount)},
                                true))},
      .problems = {}};
  const auto metrics = list_metrics(listing, sampling({wanted({"Processor"})}), true);
  ASSERT_EQ(metrics.size(), 1U);
  EXPECT_EQ(metrics[0].name, "winperf_cpu_interrupts_total");
  EXPECT_EQ(metrics[0].sources.at(0).object, "Processor");
  EXPECT_TRUE(metrics[0].sources.at(0).sampled);
  EXPECT_FALSE(metrics[0].sources.at(1).sampled);
}

TEST(MetricListing_AsJson, HasEverything) {
  const auto document = nlohmann::json::parse(
      metrics_to_json(list_metrics(disk_and_memory(), sampling({wanted({"Memory"})}), true)));
  const auto& memory = document["metrics"][1];
  EXPECT_EQ(memory["name"], "winperf_memory_available_bytes");
  EXPECT_EQ(memory["type"], "gauge");
  EXPECT_EQ(memory["unit"], "bytes");
  EXPECT_EQ(memory["sampled"], true);
  EXPECT_EQ(memory["sources"][0]["type"], "0x00010000");
  EXPECT_EQ(document["metrics"][0]["unit"], nullptr);
  EXPECT_EQ(document["metrics"][0]["label_names"], (nlohmann::json{"volume", "direction"}));
  EXPECT_EQ(document["metrics"][0]["sources"][0]["labels"],
            (nlohmann::json{{"direction", "read"}}));
  EXPECT_EQ(memory["sources"][0]["labels"], nlohmann::json::object());
}

TEST(MetricListing_OfSeveralMachines, LooksForACountersetOnEach) {
  Listing listing = disk_and_memory();
  listing.objects[0].schema.machine = "ONE";
  listing.objects[1].schema.machine = "TWO";
  const auto metrics = list_metrics(listing, sampling({wanted({"Memory", "LogicalDisk"})}), true);
  EXPECT_TRUE(metrics[0].sampled());
  EXPECT_TRUE(metrics[1].sampled());
  EXPECT_THAT(metrics[0].labels, ElementsAre("volume", "machine", "direction"));
  EXPECT_THAT(metrics[1].labels, ElementsAre("machine"));
}

TEST(MetricListing_OfThreadsAndIds, HasTheirLabels) {
  const Listing listing{
      .objects = {listed(object(
                      "Process",
                      {counter("ID Process", kRawCount), counter("Creating Process ID", kRawCount)},
                      true)),
                  listed(object("Thread",
                                {counter("ID Process", kRawCount), counter("ID Thread", kRawCount),
                                 counter("Thread State", kRawCount)},
                                true)),
                  listed(object("TCPv4", {counter("Connections Reset", kRawCount)}))},
      .problems = {}};
  const auto metrics = list_metrics(listing, sampling({}), true);
  ASSERT_EQ(metrics.size(), 3U);
  EXPECT_THAT(metrics[0].labels, ElementsAre("process", "process_id", "creating_process_id"));
  EXPECT_THAT(metrics[1].labels, ElementsAre("af"));
  EXPECT_THAT(metrics[2].labels, ElementsAre("thread", "process", "process_id", "thread_id"));
}

TEST(MetricListing_AsATable, HasALineForEachMetric) {
  const std::string table =
      metrics_to_table(list_metrics(disk_and_memory(), sampling({wanted({"Memory"})}), true));
  EXPECT_THAT(table, HasSubstr("METRIC"));
  EXPECT_THAT(table, HasSubstr("not sampled  LogicalDisk\\Disk Reads/sec, Disk Writes/sec"));
  EXPECT_THAT(table,
              HasSubstr("gauge    bytes  -                  1            Memory\\Available Bytes"));
}

Config serving(std::vector<CountersetConfig> countersets, PageDetail detail) {
  Config config = sampling(std::move(countersets));
  config.metrics.values = MetricValues::kBoth;
  config.metrics.detail = detail;
  return config;
}

Listing twelve_processes() {
  ListedObject processes = listed(object(
      "Process",
      {counter("% Processor Time", k100nsTimer, 6), counter("Page Faults/sec", kCounterCounter, 8)},
      true, 230));
  processes.instances_known = true;
  for (int i = 0; i < 12; ++i) processes.instances.push_back("p" + std::to_string(i));
  processes.instances.emplace_back("_Total");
  return {.objects = {processes}, .problems = {}};
}

TEST(MetricListing_OfTheUsualPage, SaysWhatAMetricCostsAndWhatIsLeftOut) {
  const auto usual =
      list_metrics(twelve_processes(), serving({wanted({"Process"})}, PageDetail::kUsual), true);
  ASSERT_EQ(usual.size(), 4U);
  EXPECT_EQ(usual[0].name, "winperf_process_page_faults_per_second");
  EXPECT_TRUE(usual[0].sampled());
  EXPECT_FALSE(usual[0].on_page());
  EXPECT_EQ(usual[1].name, "winperf_process_page_faults_total");
  EXPECT_TRUE(usual[1].on_page());
  EXPECT_EQ(usual[1].series(), 10U);
  const auto full =
      list_metrics(twelve_processes(), serving({wanted({"Process"})}, PageDetail::kFull), true);
  EXPECT_TRUE(full[0].on_page());
  EXPECT_EQ(full[0].series(), 12U);
  const std::string table = metrics_to_table(usual);
  EXPECT_THAT(table, HasSubstr("detail: full"));
  EXPECT_THAT(table, HasSubstr("\n30 series on /metrics at present\n"));
}

TEST(MetricListing_OfTheUsualPage, DoesNotLimitWhatTheConfigurationHasChosen) {
  CountersetConfig chosen = wanted({"Process"});
  chosen.instances.include = {Pattern::compile("p1.*").value()};
  auto metrics = list_metrics(twelve_processes(), serving({chosen}, PageDetail::kUsual), true);
  EXPECT_EQ(metrics[1].series(), 3U);  // p1, p10, p11
  chosen.instances.include.clear();
  chosen.max_instances = 11;
  metrics = list_metrics(twelve_processes(), serving({chosen}, PageDetail::kUsual), true);
  EXPECT_EQ(metrics[1].series(), 11U);
}

TEST(MetricListing_WithoutInstances, DoesNotGuessTheSeries) {
  Listing listing = twelve_processes();
  listing.objects[0].instances_known = false;
  const auto metrics =
      list_metrics(listing, serving({wanted({"Process"})}, PageDetail::kUsual), true);
  EXPECT_EQ(metrics[1].series(), std::nullopt);
}

}  // namespace
}  // namespace winperf
