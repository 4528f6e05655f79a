#include "exporter/text/sample_writer.h"

#include <gmock/gmock.h>

#include "tests/exporter/support/sample_builder.h"

namespace winperf {
namespace {

using namespace testing;  // NOLINT: builders of this room's tests
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
      R"(# HELP winperf_memory_available_bytes What it is. [Memory\\Available Bytes, PERF_COUNTER_LARGE_RAWCOUNT, 4/24]
# TYPE winperf_memory_available_bytes gauge
winperf_memory_available_bytes 18446744073709551615
# HELP winperf_memory_pages_total What it is. [Memory\\Pages/sec, PERF_COUNTER_BULK_COUNT, 4/40]
# TYPE winperf_memory_pages_total counter
winperf_memory_pages_total 12
# HELP winperf_processor_interrupts_total What it is. [Processor\\Interrupts/sec, PERF_COUNTER_COUNTER, 238/148]
# TYPE winperf_processor_interrupts_total counter
winperf_processor_interrupts_total{instance_name="0"} 7
winperf_processor_interrupts_total{instance_name="1"} 9007199254740993
# HELP winperf_processor_processor_time_idle_seconds_total What it is. [Processor\\% Processor Time, PERF_100NSEC_TIMER_INV, 238/6]
# TYPE winperf_processor_processor_time_idle_seconds_total counter
winperf_processor_processor_time_idle_seconds_total{instance_name="0"} 2.5
winperf_processor_processor_time_idle_seconds_total{instance_name="1"} 1
)");
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
  CountersetSample memory = values(object("memory", {counter("available mbytes", kRawCount)}));
  auto schema = std::make_shared<CountersetSchema>(*memory.schema);
  schema->path = CounterPath::kLog;
  memory.schema = std::move(schema);
  memory.raw = {3};
  const std::string page = written(*sample(1, {state("Memory", memory)}));
  EXPECT_THAT(page, HasSubstr(R"([memory\\available mbytes, PERF_COUNTER_RAWCOUNT, log])"));
  EXPECT_THAT(page, HasSubstr("winperf_memory_available_mbytes_bytes 3145728\n"))
      << "known whatever its case";
}

TEST(SampleWriter_OfOneObjectTwice, WritesEachSeriesOnceAndCountsTheRest) {
  auto both = typical_sample(1);
  both->countersets.push_back(both->countersets[0]);
  std::vector<CountersetCounts> counts;
  const std::string page = written(*both, &counts);
  EXPECT_EQ(occurrences(page, "interrupts_total{instance_name=\"0\"}"), 1U);
  EXPECT_EQ(occurrences(page, "# TYPE winperf_processor_interrupts_total "), 1U);
  EXPECT_EQ(counts[0].series, 4U);
  EXPECT_EQ(counts[2].series, 0U);
  EXPECT_EQ(counts[2].duplicates, 4U);
}

TEST(SampleWriter_OfThreads, HasLabelsForParentAndIds) {
  InstanceSchema thread = instance("7", 0);
  thread.parent = "note\"pad";
  thread.process_id = 4711;
  thread.thread_id = 42;
  CountersetSample threads =
      values(object("Thread", {counter("State", kRawCount)}, true), {thread});
  EXPECT_THAT(written(*sample(1, {state("Thread", threads)})),
              HasSubstr("winperf_thread_state{instance_name=\"7\",parent_name=\"note\\\"pad\","
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

}  // namespace
}  // namespace winperf
