#include "exporter/mapping/object_mapping.h"

#include <gmock/gmock.h>

#include <algorithm>

#include "exporter/mapping/family.h"
#include "tests/exporter/support/sample_builder.h"
#include "tests/support/sample_arrays.h"

namespace winperf {
namespace {

using namespace testing;  // NOLINT: builders of this room's tests
using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr std::uint32_t kAverageBase = 0x40030402;
constexpr std::uint32_t kRawBase = 0x40030403;

CounterSchema with_base(CounterSchema counter, std::uint32_t type) {
  counter.has_base = true;
  counter.base_type = CounterType{type};
  return counter;
}

// The families of a metric.
std::vector<FamilyMapping> families_of(const CountersetSchema& schema, std::string_view metric,
                                       MetricProfile profile = MetricProfile::kWindowsExporter) {
  auto all = map_profile(schema, profile);
  std::erase_if(all, [&](const FamilyMapping& family) { return family.stem != metric; });
  return all;
}

// The value of the metric's only family if the first counter has these numbers.
std::optional<MetricValue> value_of(const CountersetSchema& schema, std::string_view metric,
                                    std::uint64_t raw, std::uint64_t base = 0,
                                    MetricProfile profile = MetricProfile::kWindowsExporter) {
  const auto families = families_of(schema, metric, profile);
  if (families.size() != 1) return std::nullopt;
  CountersetSample sample = values(schema, {instance("a", 0)});
  sample.clocks.perf_frequency = Frequency{2'000'000};
  sample.clocks.perf_time = PerfTicks{100'000'000};
  sample.raw[0] = raw;
  testing::totals(sample)[0] = raw + 5'000'000'000;
  testing::bases(sample)[0] = base;
  testing::base_totals(sample)[0] = base + 5'000'000'000;
  sample.cooked[0] = 12.5;
  return metric_value(families.front().value, sample, 0);
}

MetricValue whole(std::uint64_t number) { return number; }
MetricValue real(double number) { return number; }

TEST(ProfileMapping, IsAboutTheObjectsThatTheTablesName) {
  EXPECT_THAT(map_profile(object("Nothing", {counter("% Idle Time", k100nsTimer)}),
                          MetricProfile::kWindowsExporter),
              IsEmpty());
  EXPECT_THAT(map_profile(object("Memory", {counter("Available Bytes", kLargeRawCount)}),
                          MetricProfile::kWinperf),
              IsEmpty());
}

TEST(ProfileMapping, GivesAFamilyToEachRowWhoseCounterIsThere) {
  const auto families = map_profile(
      object("memory", {counter("available bytes", kLargeRawCount), counter("Unknown", kRawCount)}),
      MetricProfile::kWindowsExporter);
  std::vector<std::string> names;
  for (const FamilyMapping& family : families) names.push_back(family.stem + family.suffix);
  EXPECT_THAT(names,
              ElementsAre("windows_memory_available_bytes", "windows_memory_physical_free_bytes"));
  EXPECT_EQ(families.front().type, MetricType::kGauge);
  EXPECT_NE(families.front().block, nullptr);
}

TEST(ProfileMapping, ACounterThatIsNoNumberHasNone) {
  EXPECT_THAT(families_of(object("Memory", {counter("Available Bytes", kText)}),
                          "windows_memory_available_bytes"),
              IsEmpty());
}

TEST(ProfileMapping, TimersOf100NsAreSecondsAndOthersAsTheyAre) {
  const auto processor = [](std::uint32_t type) {
    return object("Processor Information", {counter("% Idle Time", type)}, true);
  };
  EXPECT_EQ(value_of(processor(k100nsTimer), "windows_cpu_time_total", 10'000'000), real(501.0));
  EXPECT_EQ(value_of(processor(kPrecision100ns), "windows_cpu_time_total", 10'000'000),
            real(501.0));
  // windows_exporter shows this one in ticks, which is no time.
  EXPECT_EQ(value_of(processor(k100nsTimerInverse), "windows_cpu_time_total", 10'000'000),
            real(501.0));
  EXPECT_EQ(value_of(processor(kBulkCount), "windows_cpu_time_total", 7), whole(5'000'000'007));
  EXPECT_EQ(value_of(processor(kTimer), "windows_cpu_time_total", 7), whole(5'000'000'007));
}

TEST(ProfileMapping, AnAverageIsInTicksOfItsClock) {
  const auto disk = [](std::string name, std::uint32_t type) {
    return object("LogicalDisk", {with_base(counter(std::move(name), type), kAverageBase)}, true);
  };
  EXPECT_EQ(value_of(disk("Avg. Disk sec/Read", kAverageTimer),
                     "windows_logical_disk_read_latency_seconds_total", 4'000'000),
            real(2502.0));
  EXPECT_EQ(value_of(disk("Avg. Disk Read Queue Length", kQueueLength),
                     "windows_logical_disk_avg_read_requests_queued", 10'000'000),
            real(501.0));
  EXPECT_EQ(value_of(disk("Avg. Disk Read Queue Length", kRawCount),
                     "windows_logical_disk_avg_read_requests_queued", 10'000'000),
            real(1.0))
      << "ticks of 100 ns where the type says nothing";
}

TEST(ProfileMapping, TheSecondNumberIsTheBase) {
  const CountersetSchema disk =
      object("LogicalDisk", {with_base(counter("% Free Space", kRawFraction), kRawBase)}, true);
  EXPECT_EQ(value_of(disk, "windows_logical_disk_size_bytes", 1, 3), real(3.0 * 1024 * 1024));
  const CountersetSchema processor =
      object("Processor Information",
             {with_base(counter("% Processor Utility", kAverageBulk), kAverageBase)}, true);
  EXPECT_EQ(value_of(processor, "windows_cpu_processor_rtc_total", 1, 3), whole(5'000'000'003))
      << "of an average it is a running total, too";
  CounterSchema bare = counter("% Free Space", kRawFraction);
  bare.has_base = false;
  EXPECT_THAT(families_of(object("LogicalDisk", {bare}, true), "windows_logical_disk_size_bytes"),
              IsEmpty())
      << "without a base";
}

TEST(ProfileMapping, WhatIsLeftOfTheBaseAndWhatShareItIs) {
  const CountersetSchema file =
      object("Paging File", {with_base(counter("% Usage", kRawFraction), kRawBase)}, true);
  EXPECT_EQ(value_of(file, "windows_pagefile_free_bytes", 1, 3), real(2.0 * 4096));
  EXPECT_EQ(value_of(file, "windows_pagefile_free_bytes", 3, 1), real(-2.0 * 4096));
  const CountersetSchema clr =
      object(".NET CLR Memory", {with_base(counter("% Time in GC", kRawFraction), kRawBase)}, true);
  EXPECT_EQ(value_of(clr, "windows_netframework_clrmemory_gc_time_percent", 1, 4), real(25.0));
  EXPECT_EQ(value_of(clr, "windows_netframework_clrmemory_gc_time_percent", 1, 0), std::nullopt);
}

TEST(ProfileMapping, FactorsAndOffsets) {
  const CountersetSchema zone =
      object("Thermal Zone Information", {counter("High Precision Temperature", kRawCount)}, true);
  EXPECT_DOUBLE_EQ(
      std::get<double>(*value_of(zone, "windows_thermalzone_temperature_celsius", 3031)),
      303.1 - 273.15);
  const CountersetSchema nic =
      object("Network Interface", {counter("Current Bandwidth", kLargeRawCount)}, true);
  EXPECT_EQ(value_of(nic, "windows_net_current_bandwidth_bytes", 8000), real(1000.0));
  EXPECT_EQ(value_of(nic, "windows_net_current_bandwidth", 8000, 0,
                     MetricProfile::kWindowsExporterLegacy),
            whole(8000));
}

TEST(ProfileMapping, AnElapsedTimeIsSecondsOrItsBeginning) {
  const CountersetSchema system = object("System", {counter("System Up Time", kElapsedTime)});
  CountersetSample sample = values(system);
  const auto families = families_of(system, "windows_system_boot_time_timestamp");
  ASSERT_EQ(families.size(), 1U);
  EXPECT_EQ(families.front().value.source, ValueSource::kStartTime);
  EXPECT_THAT(families_of(object("System", {counter("System Up Time", kRawCount)}),
                          "windows_system_boot_time_timestamp"),
              IsEmpty())
      << "not an elapsed time";
}

TEST(ProfileMapping, AStateIsOneOrZero) {
  const CountersetSchema pools =
      object("APP_POOL_WAS", {counter("Current Application Pool State", kRawCount)}, true);
  const auto families = families_of(pools, "windows_iis_current_application_pool_state");
  ASSERT_EQ(families.size(), 7U);
  CountersetSample sample = values(pools, {instance("DefaultAppPool", 0)});
  sample.raw[0] = 3;
  std::vector<std::string> in_state;
  for (const FamilyMapping& family : families)
    if (metric_value(family.value, sample, 0) == whole(1)) in_state.push_back(family.labels);
  EXPECT_THAT(in_state, ElementsAre("state=\"Running\""));
}

TEST(ProfileMapping, SumsDifferencesAndHalves) {
  CountersetSample cache =
      values(object("Web Service Cache", {counter("File Cache Hits", kRawCount),
                                          counter("File Cache Misses", kRawCount)}));
  cache.raw = {5, 7};
  const auto sum = families_of(*cache.schema, "windows_iis_server_file_cache_queries_total");
  ASSERT_EQ(sum.size(), 1U);
  EXPECT_EQ(metric_value(sum.front().value, cache, 0), whole(12));
  cache.reason[1] = NoValue::kBadSize;
  EXPECT_EQ(metric_value(sum.front().value, cache, 0), std::nullopt) << "half of it is no sum";

  CountersetSample memory = values(object("Memory", {counter("Committed Bytes", kLargeRawCount),
                                                     counter("Commit Limit", kLargeRawCount)}));
  memory.raw = {7, 5};
  const auto difference = families_of(*memory.schema, "windows_os_virtual_memory_free_bytes",
                                      MetricProfile::kWindowsExporterLegacy);
  ASSERT_EQ(difference.size(), 1U);
  EXPECT_EQ(metric_value(difference.front().value, memory, 0), real(-2.0));

  CountersetSample usn = values(object("DirectoryServices",
                                       {counter("DRA Highest USN Issued (Low part)", kRawCount),
                                        counter("DRA Highest USN Issued (High part)", kRawCount)},
                                       true),
                                {instance("NTDS", 0)});
  usn.raw = {0xFFFF'FFFF, 2};
  const auto halves = families_of(*usn.schema, "windows_ad_replication_highest_usn");
  ASSERT_EQ(halves.size(), 1U);
  EXPECT_EQ(metric_value(halves.front().value, usn, 0), whole(0x2'FFFF'FFFF));
}

TEST(ProfileMapping, OfAlternativeCountersTheFirstOneThatIsThereCounts) {
  constexpr char kMetric[] = "windows_hyperv_root_partition_virtual_tlb_flush_entries";
  const auto partition = [](std::vector<CounterSchema> counters) {
    return object("Hyper-V Hypervisor Root Partition", std::move(counters), true);
  };
  const CounterSchema misspelt = counter("Virtual TLB Flush Entires/sec", kBulkCount);
  const CounterSchema spelt = counter("Virtual TLB Flush Entries/sec", kBulkCount);
  const auto families = families_of(partition({spelt, misspelt}), kMetric);
  ASSERT_EQ(families.size(), 1U);
  EXPECT_EQ(families.front().value.column, 1U);
  EXPECT_EQ(families_of(partition({spelt}), kMetric).size(), 1U);
}

TEST(ProfileMapping, NumbersThatAreNoCounters) {
  const CountersetSchema processor =
      object("Processor Information", {counter("% Idle Time", k100nsTimer)}, true);
  const auto count = families_of(processor, "windows_cpu_logical_processor");
  ASSERT_EQ(count.size(), 1U);
  EXPECT_EQ(count.front().value.source, ValueSource::kInstances);
  EXPECT_EQ(value_of(object("System", {counter("Threads", kRawCount)}),
                     "windows_system_processes_limit", 1),
            real(4294967295.0));
}

TEST(ProfileMapping, PartsOfTheObjectsNameAreLabels) {
  const auto labels = [](std::string name) {
    const auto families =
        families_of(object(std::move(name), {counter("Lock Requests/sec", kBulkCount)}, true),
                    "windows_mssql_locks_lock_requests");
    return families.size() == 1 ? families.front().labels : "none";
  };
  EXPECT_EQ(labels("SQLServer:Locks"), "mssql_instance=\"MSSQLSERVER\"");
  EXPECT_EQ(labels("MSSQL$PAYROLL:Locks"), "mssql_instance=\"PAYROLL\"");
  EXPECT_EQ(labels("MSSQL$A\"B:Locks"), "mssql_instance=\"A\\\"B\"") << "escaped";
}

TEST(ProfileMapping, ALabelMayBeTheValueOfACounter) {
  const auto clr = families_of(
      object(".NET CLR Memory",
             {counter("# Induced GC", kRawCount), counter("Process ID", kRawCount)}, true),
      "windows_netframework_clrmemory_induced_gc_total");
  ASSERT_EQ(clr.size(), 1U);
  EXPECT_EQ(clr.front().value_label, (ValueLabel{"process_id", 1}));
  const auto process =
      families_of(object("Process",
                         {counter("Thread Count", kRawCount), counter("ID Process", kRawCount),
                          counter("Creating Process ID", kRawCount)},
                         true),
                  "windows_process_thread_count", MetricProfile::kWindowsExporterLegacy);
  ASSERT_EQ(process.size(), 1U);
  EXPECT_EQ(process.front().value_label, (ValueLabel{"creating_process_id", 2}));
}

}  // namespace
}  // namespace winperf
