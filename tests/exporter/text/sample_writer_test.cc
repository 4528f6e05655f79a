#include "exporter/text/sample_writer.h"

#include <gmock/gmock.h>

#include <bit>
#include <cmath>
#include <random>

#include "exporter/mapping/instance_labels.h"
#include "tests/exporter/support/sample_builder.h"
#include "tests/support/sample_arrays.h"

namespace winperf {
namespace {

using namespace testing;  // NOLINT: builders of this room's tests
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

std::string written(const Sample& sample, std::vector<CountersetCounts>* counts = nullptr) {
  std::string out;
  const auto all = SampleWriter(MappingOptions{}).append(out, sample);
  if (counts != nullptr) *counts = all;
  return out;
}

std::size_t occurrences(std::string_view text, std::string_view part) {
  std::size_t count = 0;
  for (auto at = text.find(part); at != std::string_view::npos; at = text.find(part, at + 1))
    ++count;
  return count;
}

// A page with a label twice is refused as a whole.
TEST(SampleWriter_OfLabelsFromTheName, WritesNoneThatAFamilyHas) {
  InstanceSchema labelled = instance("0", 0);
  labelled.labels = {{"mode", "mine"}, {"node", "a\"b"}};
  const CountersetSchema processor =
      object("Processor", {counter("% User Time", k100nsTimer)}, true);
  const std::string page = written(*sample(1, {state("Processor", values(processor, {labelled}))}));
  EXPECT_THAT(page, HasSubstr("{core=\"0\",node=\"a\\\"b\",mode=\"user\"}"));
  EXPECT_THAT(page, Not(HasSubstr("mine")));
}

TEST(SampleWriter_OfSeveralSamples, WritesEachAsIfItWereTheFirst) {
  auto two = typical_sample(2);
  CountersetState failed;
  failed.name = "failed";
  two->countersets.insert(two->countersets.begin(), failed);
  auto other_instances = typical_sample(3);
  CountersetSample fewer = *other_instances->countersets[0].sample;
  fewer.instances = std::make_shared<const InstanceSet>(
      InstanceSet{{instance("7", 0), instance("8", 1), instance("_Total", 2)}});
  other_instances->countersets[0] = state("Processor", fewer);
  SampleWriter writer(MappingOptions{});
  for (const auto& each : {typical_sample(1), two, two, other_instances, two}) {
    std::string out;
    writer.append(out, *each);
    EXPECT_EQ(out, written(*each)) << each->sequence;
  }
}

// What stays the same from sample to sample is shared, so only one of the two changes.
TEST(SampleWriter_OfSeveralSamples, WritesTheInstancesAndTheMachineOfEach) {
  const auto first = typical_sample(1);
  const auto with = [&](auto change) {
    auto changed = typical_sample(2);
    CountersetSample processor = *first->countersets[0].sample;
    change(processor);
    changed->countersets[0] = state("Processor", processor);
    return changed;
  };
  const auto renamed = with([](CountersetSample& processor) {
    processor.instances = std::make_shared<const InstanceSet>(
        InstanceSet{{instance("7", 0), instance("8", 1), instance("_Total", 2)}});
  });
  const auto elsewhere = with([](CountersetSample& processor) {
    auto schema = std::make_shared<CountersetSchema>(*processor.schema);
    schema->machine = "ONE";
    processor.schema = std::move(schema);
  });
  SampleWriter writer(MappingOptions{});
  for (const auto& each : {first, renamed, first, elsewhere, first}) {
    std::string out;
    writer.append(out, *each);
    EXPECT_EQ(out, written(*each));
  }
}

TEST(SampleWriter_OfATypicalSample, WritesThePage) {
  EXPECT_EQ(
      written(*typical_sample(1)),
      R"(# HELP winperf_cpu_interrupts_per_second What it is (rate per second between the last two samples). [Processor\\Interrupts/sec, PERF_COUNTER_COUNTER, 238/148]
# TYPE winperf_cpu_interrupts_per_second gauge
winperf_cpu_interrupts_per_second{core="0"} 1.5
winperf_cpu_interrupts_per_second{core="1"} 2.5
# HELP winperf_cpu_interrupts_total What it is (running total). [Processor\\Interrupts/sec, PERF_COUNTER_COUNTER, 238/148]
# TYPE winperf_cpu_interrupts_total counter
winperf_cpu_interrupts_total{core="0"} 7
winperf_cpu_interrupts_total{core="1"} 9007199254740993
# HELP winperf_cpu_processor_time_idle_seconds_total What it is (running total of idle time in seconds, which perfmon subtracts from 100 %). [Processor\\% Processor Time, PERF_100NSEC_TIMER_INV, 238/6]
# TYPE winperf_cpu_processor_time_idle_seconds_total counter
winperf_cpu_processor_time_idle_seconds_total{core="0"} 2.5
winperf_cpu_processor_time_idle_seconds_total{core="1"} 1
# HELP winperf_cpu_processor_time_percent What it is (percentage between the last two samples). [Processor\\% Processor Time, PERF_100NSEC_TIMER_INV, 238/6]
# TYPE winperf_cpu_processor_time_percent gauge
winperf_cpu_processor_time_percent{core="0"} 75
winperf_cpu_processor_time_percent{core="1"} 50
# HELP winperf_memory_available_bytes What it is (current value in bytes). [Memory\\Available Bytes, PERF_COUNTER_LARGE_RAWCOUNT, 4/24]
# TYPE winperf_memory_available_bytes gauge
winperf_memory_available_bytes -2
# HELP winperf_memory_page_faults_total What it is (running total). [Memory\\Page Faults/sec, PERF_COUNTER_BULK_COUNT, 4/28]
# TYPE winperf_memory_page_faults_total counter
winperf_memory_page_faults_total 12
)");
}

TEST(SampleWriter_OfCountersThatShareAFamily, HasALabelForEach) {
  CountersetSample disk = values(
      object("LogicalDisk",
             {counter("Disk Reads/sec", kBulkCount), counter("Disk Writes/sec", kBulkCount)}, true),
      {instance("C:", 0), instance("D:", 1)});
  testing::set_rows(disk, testing::totals(disk), {1, 2, 3, 4});
  disk.cooked = by_rows<double>(disk, {0.1, 0.2, 0.3, 0.4});
  std::vector<CountersetCounts> counts;
  const std::string page = written(*sample(1, {state("d", disk)}), &counts);
  EXPECT_THAT(
      page,
      HasSubstr("winperf_logical_disk_transfers_total{volume=\"C:\",direction=\"read\"} 1\n"
                "winperf_logical_disk_transfers_total{volume=\"D:\",direction=\"read\"} 3\n"
                "winperf_logical_disk_transfers_total{volume=\"C:\",direction=\"write\"} 2\n"
                "winperf_logical_disk_transfers_total{volume=\"D:\",direction=\"write\"} 4\n"));
  EXPECT_EQ(counts[0].series, 8U);
  EXPECT_EQ(counts[0].duplicates, 0U);
}

TEST(SampleWriter_OfAnObjectWithoutInstances, HasTheLabelsOfItsPartsAlone) {
  CountersetSample tcp = values(object("TCPv4", {counter("Connections Reset", kRawCount)}));
  testing::set_rows(tcp, testing::totals(tcp), {5});
  EXPECT_THAT(written(*sample(1, {state("t", tcp)})),
              HasSubstr("winperf_tcp_connections_reset_total{af=\"ipv4\"} 5\n"));
}

TEST(SampleWriter_OfAnId, WritesItAsALabel) {
  CountersetSample processes =
      values(object("Process", {counter("Creating Process ID", kRawCount)}, true),
             {instance("cmd", 0), instance("gone", 1)});
  processes.raw = {4711, 0};
  processes.reason = {NoValue::kNone, NoValue::kOutOfBlock};
  const std::string page = written(*sample(1, {state("p", processes)}));
  EXPECT_THAT(page,
              HasSubstr("winperf_process_info{process=\"cmd\",creating_process_id=\"4711\"} 1\n"));
  EXPECT_THAT(page, Not(HasSubstr("gone")));
}

TEST(SampleWriter_OfProcesses, SaysInOpenMetricsSinceWhenTheyCount) {
  CountersetSample processes = values(
      object("Process",
             {counter("Page Faults/sec", kBulkCount), counter("Elapsed Time", kElapsedTime)}, true),
      {instance("cmd", 0), instance("Idle", 1)});
  auto known = std::make_shared<InstanceSet>(*processes.instances);
  known->instances[0].process_id = 4711;
  known->instances[1].process_id = 0;
  processes.instances = std::move(known);
  processes.clocks.object_frequency = Frequency{10'000'000};
  processes.clocks.object_time.ticks = kSampledAt.ticks;
  testing::set_rows(processes, testing::totals(processes), {7, 0, 8, 0});
  processes.raw = by_rows<std::uint64_t>(processes, {7, 128315796980000000, 8, 0});
  const auto written_as = [&](PageFormat format, bool created) {
    std::string out;
    SampleWriter({.values = MetricValues::kRaw, .created = created})
        .append(out, *sample(1, {state("p", processes)}), format);
    return out;
  };
  const std::string page = written_as(PageFormat::kOpenMetrics, true);
  EXPECT_THAT(
      page,
      HasSubstr(
          "\nwinperf_process_page_faults_total{process=\"Idle\",process_id=\"0\"} 8\n"
          "winperf_process_page_faults_total{process=\"cmd\",process_id=\"4711\"} 7\n"
          "winperf_process_page_faults_created{process=\"cmd\",process_id=\"4711\"} 1187106098\n"));
  EXPECT_EQ(occurrences(page, "_created"), 1U) << "no gauge has one, nor what was never started";
  EXPECT_THAT(written_as(PageFormat::kOpenMetrics, false), Not(HasSubstr("_created")));
  EXPECT_THAT(written_as(PageFormat::kText, true), Not(HasSubstr("_created")));
}

TEST(SampleWriter_OfANumberThatMarksTheUnknown, WritesNothing) {
  CountersetSample memory = values(object("Memory", {counter("Available Bytes", kLargeRawCount)}));
  memory.raw = {0x7FFFFFFFFFFFFFFF};
  memory.reason = {NoValue::kMarkedUnknown};
  std::vector<CountersetCounts> counts;
  EXPECT_EQ(written(*sample(1, {state("m", memory)}), &counts), "");
  EXPECT_EQ(counts[0].missing[static_cast<std::size_t>(NoValue::kMarkedUnknown)], 1U);
}

TEST(SampleWriter_OfMissingValues, LeavesThemOutAndCountsThem) {
  CountersetSample memory =
      values(object("Memory", {counter("A", kRawCount), counter("B", kText)}));
  memory.reason = {NoValue::kOutOfBlock, NoValue::kNotNumeric};
  std::vector<CountersetCounts> counts;
  EXPECT_EQ(written(*sample(1, {state("Memory", memory)}), &counts), "");
  ASSERT_EQ(counts.size(), 1U);
  EXPECT_EQ(counts[0].series, 0U);
  EXPECT_EQ(counts[0].not_numeric, 1U);
  EXPECT_EQ(counts[0].missing[static_cast<std::size_t>(NoValue::kOutOfBlock)], 1U);
}

CountersetState on(std::string machine, CountersetState state) {
  CountersetSample values = *state.sample;
  auto schema = std::make_shared<CountersetSchema>(*values.schema);
  schema->machine = machine;
  values.schema = std::move(schema);
  state.sample = std::make_shared<const CountersetSample>(std::move(values));
  state.machine = std::move(machine);
  return state;
}

TEST(SampleWriter_OfSeveralMachines, TellsThemApartWithinOneFamily) {
  CountersetSample disk =
      values(object("Disk", {counter("Reads", kRawCount)}, true), {instance("C:", 0)});
  CountersetSample memory = values(object("Memory", {counter("Pages", kRawCount)}));
  disk.raw = {1};
  memory.raw = {2};
  const std::string page =
      written(*sample(1, {on("ONE", state("Disk", disk)), on("TWO", state("Disk", disk)),
                          on("ONE", state("Memory", memory)), on("TWO", state("Memory", memory))}));
  EXPECT_THAT(page, HasSubstr("winperf_disk_reads{instance_name=\"C:\",machine=\"ONE\"} 1\n"
                              "winperf_disk_reads{instance_name=\"C:\",machine=\"TWO\"} 1\n"));
  EXPECT_THAT(page, HasSubstr("winperf_memory_pages{machine=\"ONE\"} 2\n"
                              "winperf_memory_pages{machine=\"TWO\"} 2\n"));
  EXPECT_EQ(occurrences(page, "# TYPE "), 2U);
}

TEST(SampleWriter_OfALog, NamesNoIndexThatWindowsDoesNotHave) {
  CountersetSample memory = values(object("memory", {counter("commit limit", kRawCount)}));
  auto schema = std::make_shared<CountersetSchema>(*memory.schema);
  schema->path = CounterPath::kLog;
  memory.schema = std::move(schema);
  memory.raw = {3};
  const std::string page = written(*sample(1, {state("Memory", memory)}));
  EXPECT_THAT(page, HasSubstr(R"([memory\\commit limit, PERF_COUNTER_RAWCOUNT, log])"));
  EXPECT_THAT(page, HasSubstr("winperf_memory_commit_limit_bytes 3\n"))
      << "known whatever its case";
}

TEST(SampleWriter_OfOneObjectTwice, WritesEachSeriesOnceAndCountsTheRest) {
  auto both = typical_sample(1);
  both->countersets.push_back(both->countersets[0]);
  std::vector<CountersetCounts> counts;
  const std::string page = written(*both, &counts);
  EXPECT_EQ(occurrences(page, "interrupts_total{core=\"0\"}"), 1U);
  EXPECT_EQ(occurrences(page, "# TYPE winperf_cpu_interrupts_total "), 1U);
  EXPECT_EQ(counts[0].series, 8U);
  EXPECT_EQ(counts[2].series, 0U);
  EXPECT_EQ(counts[2].duplicates, 8U);
}

// Whole countersets, in the order of the plan, so that none comes and goes with its values.
TEST(SampleWriter_OfTooManySeries, LeavesOutThoseForWhichThereIsNoRoom) {
  const auto counterset = [](const std::string& name, std::size_t instances) {
    std::vector<InstanceSchema> all;
    for (std::size_t i = 0; i < instances; ++i) all.push_back(instance(std::to_string(i), 0));
    return state(name, values(object(name, {counter("A", kRawCount)}, true), std::move(all)));
  };
  const auto three = sample(1, {counterset("X", 5), counterset("Y", 6), counterset("Z", 5)});
  const auto counts_of = [&](std::size_t max_series) {
    SampleWriter writer{{.max_series = max_series}};
    std::string page;
    return writer.append(page, *three);
  };
  const auto series = [](const std::vector<CountersetCounts>& counts) {
    std::vector<std::uint64_t> all;
    for (const CountersetCounts& count : counts) all.push_back(count.series);
    return all;
  };
  EXPECT_THAT(series(counts_of(16)), ElementsAre(5, 6, 5));
  EXPECT_THAT(series(counts_of(15)), ElementsAre(5, 6, 0));
  EXPECT_THAT(series(counts_of(10)), ElementsAre(5, 0, 5));
  EXPECT_THAT(series(counts_of(4)), ElementsAre(0, 0, 0));
  EXPECT_EQ(counts_of(10)[1].no_room, 6U);
  EXPECT_EQ(counts_of(10)[0].no_room, 0U);
}

TEST(SampleWriter_OfTooManySeries, CountsAMissingValueAsOneThatMayCome) {
  CountersetSample missing = values(object("X", {counter("A", kRawCount)}));
  missing.reason.assign(1, NoValue::kFirstSample);
  SampleWriter writer{{.max_series = 1}};
  std::string page;
  const auto counts =
      writer.append(page, *sample(1, {state("X", missing),
                                      state("Y", values(object("Y", {counter("A", kRawCount)})))}));
  EXPECT_EQ(counts[1].series, 0U);
  EXPECT_EQ(counts[1].no_room, 1U);
}

TEST(SampleWriter_OfThreads, HasLabelsForParentAndIds) {
  InstanceSchema thread = instance("7", 0);
  thread.parent = "note\"pad";
  thread.process_id = 4711;
  thread.thread_id = 42;
  CountersetSample threads =
      values(object("Thread", {counter("State", kRawCount)}, true), {thread});
  EXPECT_THAT(written(*sample(1, {state("Thread", threads)})),
              HasSubstr("winperf_thread_state{thread=\"7\",process=\"note\\\"pad\","
                        "process_id=\"4711\",thread_id=\"42\"} 0\n"));
}

TEST(SampleWriter_AfterAChangeOfInstances, FollowsIt) {
  SampleWriter writer{MappingOptions{}};
  const auto page_of = [&](std::vector<InstanceSchema> instances) {
    std::string out;
    writer.append(out, *sample(1, {state("P", values(object("P", {counter("A", kRawCount)}, true),
                                                     std::move(instances)))}));
    return out;
  };
  EXPECT_THAT(page_of({instance("old", 0)}), HasSubstr("{instance_name=\"old\"}"));
  EXPECT_THAT(page_of({instance("new", 0)}), Not(HasSubstr("old")));
}

TEST(SampleWriter_OfACountersetWithoutSample, WritesAndCountsNothing) {
  CountersetState failed;
  failed.name = "Nothing";
  std::vector<CountersetCounts> counts;
  EXPECT_EQ(written(*sample(1, {failed}), &counts), "");
  ASSERT_EQ(counts.size(), 1U);
  for (const std::uint64_t count :
       {counts[0].series, counts[0].duplicates, counts[0].unnamed, counts[0].not_numeric})
    EXPECT_EQ(count, 0U);
  EXPECT_EQ(counts[0].missing, decltype(counts[0].missing){});
}

// The usual page with one process, of three and their total.
Sample three_processes(double second_works) {
  std::vector<InstanceSchema> processes;
  for (const char* name : {"a", "b", "c", "_Total"}) {
    processes.push_back(instance(name, static_cast<std::uint32_t>(processes.size())));
    processes.back().process_id = processes.size() * 4;
  }
  processes.back().process_id = 0;
  const CountersetSchema schema = object(
      "Process", {counter("% Processor Time", k100nsTimer), counter("Handles", kRawCount)}, true);
  CountersetSample all = values(schema, processes);
  testing::totals(all)[all.cell(0, 0)] = 100;
  testing::totals(all)[all.cell(1, 0)] = static_cast<std::uint64_t>(second_works);
  return *sample(1, {state("Process", std::move(all))});
}

MappingOptions with_one_leader() { return {.detail = PageDetail::kUsual, .leading_processes = 1}; }

TEST(SampleWriter_OfTheUsualPage, HasTheLeadingProcessesAndCountsTheOthers) {
  SampleWriter writer(with_one_leader());
  for (const PageFormat format : {PageFormat::kText, PageFormat::kOpenMetrics}) {
    std::string out;
    const auto counts = writer.append(out, three_processes(0), format);
    EXPECT_THAT(out, HasSubstr("winperf_process_handles{process=\"a\",process_id=\"4\"} 0\n"));
    EXPECT_EQ(occurrences(out, "\nwinperf_process_handles{"), 1U) << out;
    EXPECT_EQ(counts[0].hidden_instances, 2U) << "the total isn't one";
    EXPECT_EQ(counts[0].series, 3U) << "two of the time, one of the handles";
  }
}

TEST(SampleWriter_OfTheUsualPage, KeepsItsLeadersFromSampleToSample) {
  SampleWriter writer(with_one_leader());
  std::string first;
  std::string second;
  writer.append(first, three_processes(0));
  writer.append(second, three_processes(9000));  // taken at the same time
  EXPECT_THAT(second, HasSubstr("process=\"a\""));
  std::string alone;
  SampleWriter(with_one_leader()).append(alone, three_processes(9000));
  EXPECT_THAT(alone, HasSubstr("process=\"b\""));
}

TEST(SampleWriter_OfTheUsualPage, HasAllOfWhatTheConfigurationHasChosen) {
  MappingOptions options = with_one_leader();
  options.chosen = {"Process"};
  std::string out;
  const auto counts = SampleWriter(options).append(out, three_processes(0));
  EXPECT_EQ(occurrences(out, "\nwinperf_process_handles{"), 3U) << out;
  EXPECT_EQ(counts[0].hidden_instances, 0U);
}

// Room is for what is shown, not for what is sampled.
TEST(SampleWriter_OfTheUsualPage, NeedsRoomForItsLeadersAlone) {
  MappingOptions options = with_one_leader();
  options.max_series = 3;
  std::string out;
  EXPECT_EQ(SampleWriter(options).append(out, three_processes(0))[0].no_room, 0U);
  options.detail = PageDetail::kFull;
  EXPECT_GT(SampleWriter(options).append(out, three_processes(0))[0].no_room, 0U);
}

// The value lines of a page by the plain rule: each by metric_value(), without anything kept.
std::vector<std::string> lines_by_rule(const Sample& page) {
  Mapper mapper{MappingOptions{}};
  const PagePlan& plan = mapper.plan(page);
  std::vector<std::string> lines;
  for (const PageFamily& family : plan.families)
    for (const FamilySource& source : family.sources) {
      const CountersetSample& values =
          *page.countersets[plan.row_sets[source.rows].counterset].sample;
      for (const InstanceLabels& labels :
           map_instances(*values.schema, values.instances.get(), MappingOptions{})) {
        const auto value = metric_value(source.value, values, labels.row);
        if (!value) continue;
        std::string written;
        if (!labels.single) add_label(written, "instance_name", labels.instance);
        if (!source.labels.empty()) written += (written.empty() ? "" : ",") + source.labels;
        std::string& line = lines.emplace_back(family.name);
        if (!written.empty()) line += '{' + written + '}';
        line += ' ';
        std::visit([&](auto number) { append_number(line, number); }, *value);
      }
    }
  return lines;
}

std::vector<std::string> value_lines(const std::string& page) {
  std::vector<std::string> lines;
  std::size_t at = 0;
  while (at < page.size()) {
    const std::size_t end = page.find('\n', at);
    if (page[at] != '#') lines.push_back(page.substr(at, end - at));
    at = end + 1;
  }
  return lines;
}

// Of all types, with and without instances, in any state.
TEST(SampleWriter_OfAnySample, WritesTheSeriesOfThePlainRule) {
  std::mt19937_64 random(1);
  SampleWriter writer(MappingOptions{});
  for (std::uint64_t round = 1; round <= 40; ++round) {
    std::vector<CounterSchema> counters;
    for (const std::uint32_t type : metric_types()) {
      counters.push_back(counter("Things " + std::to_string(counters.size()), type,
                                 static_cast<std::uint32_t>(6 + 2 * counters.size())));
      counters.back().size = random() % 2 == 0 ? 4 : 8;
      counters.back().reading.is_signed = random() % 2 == 0;
    }
    std::vector<InstanceSchema> rows;
    const bool has_instances = random() % 4 != 0;
    for (std::uint32_t i = 0; has_instances && i < random() % 5; ++i)
      rows.push_back(instance("a \"thing\" " + std::to_string(i), i));
    CountersetSample all = values(object("Shop", std::move(counters), has_instances), rows);
    all.clocks.perf_frequency.ticks_per_second = random() % 2 == 0 ? 10'000'000 : 3'000'000;
    for (std::size_t cell = 0; cell < all.raw.size(); ++cell) {
      all.raw[cell] = random() >> (random() % 64);
      totals(all)[cell] = random() >> (random() % 64);
      bases(all)[cell] = random() % 3;
      base_totals(all)[cell] = random() % 1000;
      all.cooked[cell] =
          std::ldexp(static_cast<double>(random() % 1000), static_cast<int>(random() % 20) - 6);
      if (random() % 3 == 0) all.reason[cell] = static_cast<NoValue>(random() % kNoValueCount);
    }
    const auto page = sample(round, {state("Shop", std::move(all))});
    std::string out;
    writer.append(out, *page);
    EXPECT_EQ(value_lines(out), lines_by_rule(*page)) << round;
  }
}

}  // namespace
}  // namespace winperf
