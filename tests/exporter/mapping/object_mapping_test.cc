#include "exporter/mapping/object_mapping.h"

#include <gmock/gmock.h>

#include "exporter/mapping/counter_name.h"
#include "exporter/mapping/name_table.h"
#include "tests/exporter/support/sample_builder.h"

namespace winperf {
namespace {

using namespace testing;  // NOLINT: builders of this room's tests
using ::testing::ElementsAre;

std::vector<std::string> names_of(const ObjectMapping& mapping) {
  std::vector<std::string> names;
  for (const FamilyMapping& family : mapping.families) names.push_back(family.stem + family.suffix);
  return names;
}

std::vector<std::string> names_for(std::uint32_t type, const MappingOptions& options = {}) {
  return names_of(map_object(object("Object", {counter("Thing", type)}), options));
}

const MappingOptions kRawOnly{.values = MetricValues::kRaw};
const MappingOptions kCookedOnly{.values = MetricValues::kCooked};

TEST(ObjectMapping_OfACounterWithBase, HasAFamilyForEach) {
  EXPECT_THAT(names_for(kAverageTimer, kRawOnly),
              ElementsAre("winperf_object_thing_duration_seconds_total",
                          "winperf_object_thing_duration_seconds_base_total"));
  EXPECT_THAT(names_for(kAverageBulk, kRawOnly),
              ElementsAre("winperf_object_thing_total", "winperf_object_thing_base_total"));
  EXPECT_THAT(names_for(kSampleFraction, kRawOnly),
              ElementsAre("winperf_object_thing_total", "winperf_object_thing_base_total"));
  EXPECT_THAT(
      names_for(k100nsMultiTimer, kRawOnly),
      ElementsAre("winperf_object_thing_seconds_total", "winperf_object_thing_seconds_base"));
  EXPECT_THAT(names_for(kRawFraction, kRawOnly), ElementsAre("winperf_object_thing_ratio"));
  EXPECT_THAT(names_for(kPrecision100ns, kRawOnly),
              ElementsAre("winperf_object_thing_seconds_total"))
      << "its base is a clock";
}

TEST(ObjectMapping_OfAFractionOfASize, HasTheSize) {
  const ObjectMapping mapping =
      map_object(object("LogicalDisk", {counter("% Free Space", kRawFraction)}, true), {});
  EXPECT_THAT(names_of(mapping), ElementsAre("winperf_logical_disk_free_space_ratio",
                                             "winperf_logical_disk_size_bytes"));
  EXPECT_EQ(mapping.families[1].value.source, ValueSource::kBase);
  EXPECT_EQ(mapping.families[1].value.factor, 1048576);
  EXPECT_EQ(mapping.families[1].text.lead, "Size in bytes");
  EXPECT_EQ(mapping.families[1].help, "");
  EXPECT_EQ(mapping.families[1].text.origin.substr(0, 21), "What it is. [base of ");
}

TEST(ObjectMapping_OfACounter, ShowsTheValueThatItsTypeMeans) {
  const auto source = [](std::uint32_t type) {
    return map_object(object("Object", {counter("Thing", type)}), {}).families[0].value.source;
  };
  EXPECT_EQ(source(kRawCount), ValueSource::kRaw);
  EXPECT_EQ(source(kBulkCount), ValueSource::kTotal);
  EXPECT_EQ(source(kRawFraction), ValueSource::kRatio);
  EXPECT_EQ(source(kElapsedTime), ValueSource::kStartTime);
  EXPECT_EQ(source(kDoubleRaw), ValueSource::kRawDouble);
}

TEST(ObjectMapping_OfACounterThatLacksItsBase, HasTheCounterAlone) {
  CounterSchema average = counter("Thing", kAverageTimer);
  average.has_base = false;
  EXPECT_THAT(names_of(map_object(object("Object", {average}), kRawOnly)),
              ElementsAre("winperf_object_thing_duration_seconds_total"));
}

// What has no running total is shown as it is, once.
TEST(ObjectMapping_Values, AreChosenByTypeAlone) {
  const std::uint32_t as_it_is[]{kRawCount,    kLargeRawCount, kDoubleRaw,
                                 kRawFraction, kElapsedTime,   0x00000000};
  for (const std::uint32_t type : as_it_is) {
    EXPECT_EQ(names_for(type).size(), 1U) << type;
    EXPECT_EQ(names_for(type, kRawOnly), names_for(type)) << type;
    EXPECT_EQ(names_for(type, kCookedOnly), names_for(type)) << type;
  }
  for (const std::uint32_t type : metric_types()) {
    const auto both = names_for(type), raw = names_for(type, kRawOnly),
               cooked = names_for(type, kCookedOnly);
    if (describe(CounterType{type}).exposition == Exposition::kGauge) continue;
    EXPECT_EQ(cooked.size(), 1U) << type;
    EXPECT_EQ(both.size(), raw.size() + 1) << type;
    EXPECT_EQ(both.back(), cooked.front()) << type;
  }
}

TEST(ObjectMapping_OfNumbersThatOnlyGrow, IsACounterWhateverIsWanted) {
  for (const MappingOptions& options : {MappingOptions{}, kRawOnly, kCookedOnly}) {
    const ObjectMapping mapping =
        map_object(object("TCPv4", {counter("Connections Reset", kRawCount)}), options);
    EXPECT_THAT(names_of(mapping), ElementsAre("winperf_tcp_connections_reset_total"));
    EXPECT_EQ(mapping.families[0].type, MetricType::kCounter);
    EXPECT_EQ(mapping.families[0].labels, "af=\"ipv4\"");
  }
}

TEST(ObjectMapping_OfParts, SharesAFamily) {
  const ObjectMapping mapping =
      map_object(object("PhysicalDisk", {counter("Disk Reads/sec", kCounterCounter, 214),
                                         counter("Disk Writes/sec", kCounterCounter, 216)}),
                 {});
  ASSERT_THAT(names_of(mapping), ElementsAre("winperf_physical_disk_transfers_total",
                                             "winperf_physical_disk_transfers_per_second",
                                             "winperf_physical_disk_transfers_total",
                                             "winperf_physical_disk_transfers_per_second"));
  const FamilyMapping &reads = mapping.families[0], &writes = mapping.families[2];
  EXPECT_EQ(reads.key, writes.key);
  EXPECT_EQ(reads.labels, "direction=\"read\"");
  EXPECT_EQ(writes.labels, "direction=\"write\"");
  EXPECT_EQ(reads.help, "running total, by direction");
  EXPECT_EQ(reads.text.lead, "Reads and writes that the disk completed");
  EXPECT_EQ(writes.text.lead, reads.text.lead);
  EXPECT_EQ(writes.text.origin,
            "What it is. [PhysicalDisk\\Disk Writes/sec, PERF_COUNTER_COUNTER, 238/216]");
}

TEST(ObjectMapping_OfANumberThatAnotherTells, LeavesItToThatOne) {
  const CounterSchema transfers = counter("Disk Transfers/sec", kCounterCounter);
  const CounterSchema reads = counter("disk reads/sec", kCounterCounter);
  const CounterSchema writes = counter("Disk Writes/sec", kCounterCounter);
  EXPECT_THAT(names_of(map_object(object("PhysicalDisk", {transfers, reads, writes}), kRawOnly)),
              ElementsAre("winperf_physical_disk_transfers_total",
                          "winperf_physical_disk_transfers_total"));
  EXPECT_THAT(names_of(map_object(object("PhysicalDisk", {transfers, reads}), kRawOnly)),
              ElementsAre("winperf_physical_disk_all_transfers_total",
                          "winperf_physical_disk_transfers_total"))
      << "shown where one of the others is missing";
}

// Each of them in turn, so that no filter loses a number.
TEST(ObjectMapping_WithoutOneThatTells, ShowsEveryNumber) {
  for (const CounterRow& row : counter_rows()) {
    auto tellers = alternatives(row.covered_by);
    for (const std::string_view missing : tellers) {
      std::vector<CounterSchema> counters{counter(std::string(row.counter), kAverageTimer)};
      for (const std::string_view teller : tellers)
        if (teller != missing) counters.push_back(counter(std::string(teller), kAverageTimer));
      const auto name = std::string(alternatives(row.object).front());
      const ObjectMapping mapping = map_object(object(name, counters, true), {});
      std::vector<const FamilyMapping*> families;
      std::size_t shown = 0;
      for (const FamilyMapping& family : mapping.families) {
        families.push_back(&family);
        shown += family.value.column == 0;
      }
      EXPECT_EQ(shown, 3U) << row.counter << " without " << missing;
      const auto names = resolve_name_clashes(families);
      for (std::size_t i = 0; i < names.size(); ++i)
        EXPECT_EQ(names[i], families[i]->stem + families[i]->suffix)
            << row.counter << " without " << missing;
    }
  }
}

TEST(ObjectMapping_OfTheSameSeriesTwice, TellsThemApart) {
  const ObjectMapping mapping =
      map_object(object("PhysicalDisk", {counter("Disk Reads/sec", kCounterCounter, 214),
                                         counter("Disk Reads/sec", kCounterCounter, 216)}),
                 kRawOnly);
  ASSERT_EQ(mapping.families.size(), 2U);
  EXPECT_NE(mapping.families[0].key, mapping.families[1].key);
}

TEST(ObjectMapping_OfTheUtility, HasTheirCommonBaseOnce) {
  EXPECT_THAT(
      names_of(map_object(object("Processor Information",
                                 {counter("% Processor Utility", kAverageBulk),
                                  counter("% Privileged Utility", kAverageBulk)},
                                 true),
                          kRawOnly)),
      ElementsAre("winperf_cpu_processor_utility_total", "winperf_cpu_processor_utility_base_total",
                  "winperf_cpu_privileged_utility_total"));
}

TEST(ObjectMapping_OfTheProcessor, HasOnePercentageForWhatIsNotIdle) {
  const CountersetSchema processor = object(
      "Processor",
      {counter("% Processor Time", k100nsTimerInverse), counter("% Idle Time", k100nsTimer)}, true);
  EXPECT_THAT(names_of(map_object(processor, {})),
              ElementsAre("winperf_cpu_processor_time_percent", "winperf_cpu_time_seconds_total"));
  EXPECT_THAT(names_of(map_object(processor, {}, {.newer_is_sampled = true})),
              ElementsAre("winperf_legacy_cpu_processor_time_percent",
                          "winperf_legacy_cpu_time_seconds_total"));
}

TEST(ObjectMapping_OfAnId, IsALabelOfAnInfoMetric) {
  const ObjectMapping mapping =
      map_object(object("Process", {counter("Creating Process ID", kRawCount)}, true), {});
  ASSERT_THAT(names_of(mapping), ElementsAre("winperf_process_info"));
  EXPECT_EQ(mapping.families[0].value_label.name, "creating_process_id");
  EXPECT_EQ(mapping.families[0].value.source, ValueSource::kId);
  EXPECT_EQ(mapping.families[0].type, MetricType::kGauge);
}

TEST(ObjectMapping_OfIds, LeavesThemToTheLabels) {
  const std::vector<CounterSchema> counters{counter("ID Process", kRawCount),
                                            counter("ID Thread", kRawCount)};
  EXPECT_TRUE(map_object(object("Process", counters, true), {}).families.empty());
  EXPECT_TRUE(map_object(object("Process V2", {counter("Process ID", kRawCount)}, true), {})
                  .families.empty());
  EXPECT_EQ(map_object(object("Process", counters, false), {}).families.size(), 2U);
}

TEST(ObjectMapping_OfText, IsCountedAndHasNoFamily) {
  const ObjectMapping mapping = map_object(object("Object", {counter("Thing", kText)}), {});
  EXPECT_TRUE(mapping.families.empty());
  EXPECT_EQ(mapping.not_numeric, 1U);
}

TEST(ObjectMapping_OfEqualNames, HasKeysThatDoNotDependOnOrder) {
  const CounterSchema raw = counter("Thing", kRawCount, 10);
  const CounterSchema rate = counter("Thing", kBulkCount, 12);
  const CounterSchema again = counter("Thing", kBulkCount, 14);
  const ObjectMapping mapping = map_object(object("Object", {raw, rate, again}), kRawOnly);
  EXPECT_EQ(mapping.families[0].key, "Object\\Thing\\PERF_COUNTER_RAWCOUNT");
  EXPECT_EQ(mapping.families[1].key, "Object\\Thing\\PERF_COUNTER_BULK_COUNT\\12");
  EXPECT_EQ(mapping.families[2].key, "Object\\Thing\\PERF_COUNTER_BULK_COUNT\\14");
}

}  // namespace
}  // namespace winperf
