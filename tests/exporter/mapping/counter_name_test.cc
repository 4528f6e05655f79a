#include "exporter/mapping/counter_name.h"

#include <gtest/gtest.h>

#include <string>

#include "exporter/mapping/object_mapping.h"
#include "tests/exporter/support/name_lint.h"
#include "tests/exporter/support/sample_builder.h"

namespace winperf {
namespace {

using namespace testing;  // NOLINT: builders of this room's tests

struct Example {
  const char* object;
  const char* counter;
  std::uint32_t type;
  const char* name;
  double factor = 1;
};

std::string full_name(const FamilyMapping& family) { return family.stem + family.suffix; }

const Example kExamples[] = {
    {"Processor", "% User Time", k100nsTimer, "winperf_cpu_time_seconds_total"},
    {"Processor Information", "Interrupts/sec", kCounterCounter, "winperf_cpu_interrupts_total"},
    {"Processor Information", "% Processor Utility", kAverageBulk,
     "winperf_cpu_processor_utility_total"},
    {"Processor Information", "Processor Frequency", kRawCount,
     "winperf_cpu_processor_frequency_hertz", 1e6},
    {"Processor Information", "% of Maximum Frequency", kRawCount,
     "winperf_cpu_maximum_frequency_ratio", 0.01},
    {"Processor Information", "% Performance Limit", kRawCount,
     "winperf_cpu_performance_limit_ratio", 0.01},
    {"Memory", "Available Bytes", kLargeRawCount, "winperf_memory_available_bytes"},
    {"Memory", "System Code Total Bytes", kLargeRawCount, "winperf_memory_system_code_total_bytes"},
    {"Memory", "% Committed Bytes In Use", kRawFraction,
     "winperf_memory_committed_bytes_in_use_ratio"},
    {"Memory", "Transition Pages RePurposed/sec", kCounterCounter,
     "winperf_memory_transition_pages_repurposed_total"},
    {"LogicalDisk", "Free Megabytes", kRawCount, "winperf_logical_disk_free_bytes", 1048576},
    {"LogicalDisk", "% Free Space", kRawFraction, "winperf_logical_disk_free_space_ratio"},
    {"LogicalDisk", "Current Disk Queue Length", kRawCount,
     "winperf_logical_disk_current_queue_length"},
    {"PhysicalDisk", "Disk Read Bytes/sec", kBulkCount, "winperf_physical_disk_bytes_total"},
    {"PhysicalDisk", "Disk Reads/sec", kCounterCounter, "winperf_physical_disk_transfers_total"},
    {"PhysicalDisk", "% Disk Read Time", kPrecision100ns,
     "winperf_physical_disk_time_seconds_total"},
    {"PhysicalDisk", "Split IO/Sec", kCounterCounter, "winperf_physical_disk_split_io_total"},
    {"Network Interface", "Packets Outbound Errors", kRawCount,
     "winperf_network_interface_packets_errors_total"},
    {"Network Interface", "Current Bandwidth", kLargeRawCount,
     "winperf_network_interface_current_bandwidth_bytes_per_second", 0.125},
    {"TCPv4", "Connections Established", kRawCount, "winperf_tcp_connections_established"},
    {"TCPv6", "Connections Reset", kRawCount, "winperf_tcp_connections_reset_total"},
    {"Process", "Thread Count", kRawCount, "winperf_process_threads"},
    {"Process", "Elapsed Time", kElapsedTime, "winperf_process_start_time_seconds"},
    {"Process", "IO Read Bytes/sec", kBulkCount, "winperf_process_io_bytes_total"},
    {"Process", "Working Set - Private", kLargeRawCount,
     "winperf_process_working_set_private_bytes"},
    {"Thread", "Thread State", kRawCount, "winperf_thread_state"},
    {"System", "System Up Time", kElapsedTime, "winperf_system_start_time_seconds"},
    {"System", "System Calls/sec", kCounterCounter, "winperf_system_calls_total"},
    {"Process Address Space", "Bytes Free", kRawCount, "winperf_process_address_space_free_bytes"},
    {"Job", "Process Count - Total", kRawCount, "winperf_job_total_processes"},
    {"Cache", "Copy Read Hits %", kSampleFraction, "winperf_cache_copy_read_hits_total"},
    {"Paging File", "% Usage", kRawCount, "winperf_paging_file_usage_ratio", 0.01},
    {"RAS", "Compression Ratio", kRawFraction, "winperf_ras_compression_ratio"},
    {"USB", "Avg ms latency for ISO transfers", kRawCount,
     "winperf_usb_avg_latency_for_iso_transfers_seconds", 1e-3},
    {"SQLServer:Databases", "Data File(s) Size (KB)", kLargeRawCount,
     "winperf_sqlserver_databases_data_files_size_bytes", 1024},
    {"Object", "Requests over 10 seconds", kRawCount, "winperf_object_requests_over_10_second"},
    {"Object", "Clients lost per second due to errors", kRawCount,
     "winperf_object_clients_lost_due_to_errors_per_second"},
    {"Object", "New Jobs / Minute", kRawCount, "winperf_object_new_jobs_per_minute"},
    {"BITS Net Utilization", "IGD Speed (Bits/Sec)", kRawCount,
     "winperf_background_transfer_igd_speed_bytes_per_second", 0.125},
    {"Database", "Database Cache Size (MB)", kRawCount, "winperf_database_cache_size_bytes",
     1048576},
    {"Exporter", "Pages/sec", kBulkCount, "winperf_object_exporter_pages_total"},
    {"Object", "Commit retry count/sec", kCounterCounter, "winperf_object_commit_retries_total"},
    {"Object", "Summary of Counter Gauge", kRawCount,
     "winperf_object_summaries_of_counters_gauges"},
    {"Object", "Size of Bucket", kRawCount, "winperf_object_size_of_buckets"},
    {"Object", "Running Sum", kRawCount, "winperf_object_running_sums"},
    {"Exporter Pool", "Pages/sec", kBulkCount, "winperf_object_exporter_pool_pages_total"},
    {"Exporters", "Pages/sec", kBulkCount, "winperf_exporters_pages_total"},
    {"Object", "Free on Drive D", kRawCount, "winperf_object_free_on_drive_letterd"},
    {"Object", "Age in Hours", kRawCount, "winperf_object_age_in_seconds", 3600},
    {"Object", "Minute Count", kRawCount, "winperf_object_minute_counts"},
    {"Object", "Total", kRawCount, "winperf_object_totals"},
    {"Object", "Average Waits/sec", kBulkCount, "winperf_object_waits_total"},
    {"Object", "Percent Netcard Free", kRawCount, "winperf_object_netcard_free_ratio", 0.01},
    {"Object", "Bytes Total/sec", kBulkCount, "winperf_object_bytes_total"},
    {"Object", "Avg. sec/Read", kAverageTimer, "winperf_object_read_duration_seconds_total"},
    {"Object", "Avg. Bytes/Read", kAverageBulk, "winperf_object_read_size_bytes_total"},
    {"Object", "Average Wait Time (ms)", kAverageBulk, "winperf_object_wait_time_seconds_total",
     1e-3},
    {"Object", "Avg. Queue Length", kQueueLength, "winperf_object_queue_length_seconds_total"},
    {"Object", "% Busy Time", k100nsTimerInverse, "winperf_object_busy_time_idle_seconds_total"},
    {"Print Queue", "Queue", kRawCount, "winperf_print_queue"},
    {"SQL Errors", "Errors/sec", kBulkCount, "winperf_sql_errors_total"},
    {"Some Disk", "Disk Bytes/sec", kBulkCount, "winperf_some_disk_bytes_total"},
    {"Some Disk", "Some Disk Reads/sec", kBulkCount, "winperf_some_disk_reads_total"},
    {"Disks", "Disk Reads/sec", kBulkCount, "winperf_disks_disk_reads_total"},
};

// Perfmon's number of the same counter: the last family.
const Example kCooked[] = {
    {"Processor", "% Processor Time", k100nsTimerInverse, "winperf_cpu_processor_time_percent"},
    {"Processor Information", "% User Time", k100nsTimer, "winperf_cpu_time_percent"},
    {"Processor Information", "% Processor Utility", kAverageBulk,
     "winperf_cpu_processor_utility_percent"},
    {"Processor Information", "Interrupts/sec", kCounterCounter,
     "winperf_cpu_interrupts_per_second"},
    {"PhysicalDisk", "Avg. Disk sec/Read", kAverageTimer,
     "winperf_physical_disk_read_average_seconds"},
    {"PhysicalDisk", "Avg. Disk Bytes/Read", kAverageBulk,
     "winperf_physical_disk_read_average_bytes"},
    {"PhysicalDisk", "Disk Read Bytes/sec", kBulkCount, "winperf_physical_disk_bytes_per_second"},
    {"Object", "Avg. Queue Length", kQueueLength, "winperf_object_queue_length_average"},
    {"Object", "Read KB/sec", kBulkCount, "winperf_object_read_bytes_per_second", 1024},
    {"Object", "Copy Read Hits %", kSampleFraction, "winperf_object_copy_read_hits_percent"},
    {"Object", "Faults", kDelta, "winperf_object_faults_delta"},
    {"Object", "Average Wait Time (ms)", kAverageBulk, "winperf_object_wait_time_average_seconds",
     1e-3},
    {"Object", "Average Waits", kAverageBulk, "winperf_object_waits_average"},
    {"Object", "% Busy Time", k100nsTimerInverse, "winperf_object_busy_time_percent"},
};

void expect_family(const Example& example, const FamilyMapping& family) {
  EXPECT_EQ(full_name(family), example.name);
  EXPECT_EQ(lint_name(example.name, family.type), "") << example.name;
  EXPECT_DOUBLE_EQ(family.value.factor, example.factor) << example.counter;
}

TEST(CounterName_FollowsTheRule, ForKnownCounters) {
  for (const Example& example : kExamples) {
    const ObjectMapping mapping =
        map_object(object(example.object, {counter(example.counter, example.type)}), {});
    ASSERT_FALSE(mapping.families.empty()) << example.counter;
    expect_family(example, mapping.families.front());
  }
}

TEST(CounterName_FollowsTheRule, ForPerfmonsNumbers) {
  for (const Example& example : kCooked) {
    const ObjectMapping mapping =
        map_object(object(example.object, {counter(example.counter, example.type)}), {});
    ASSERT_FALSE(mapping.families.empty()) << example.counter;
    expect_family(example, mapping.families.back());
    EXPECT_EQ(mapping.families.back().value.source, ValueSource::kCooked);
  }
}

TEST(CounterName_WithoutText, ComesFromTheIndexOrAHash) {
  CountersetSchema schema = object("", {counter("", kRawCount, 77), counter("", k100nsTimer, 79),
                                        counter("\xD0\x9F", kRawCount, 81)});
  const ObjectMapping mapping = map_object(schema, {});
  ASSERT_EQ(mapping.families.size(), 4U);
  EXPECT_EQ(full_name(mapping.families[0]), "winperf_object_238_counter_77");
  EXPECT_EQ(full_name(mapping.families[1]), "winperf_object_238_counter_79_seconds_total");
  EXPECT_EQ(full_name(mapping.families[2]), "winperf_object_238_counter_79_percent");
  EXPECT_EQ(full_name(mapping.families[3]).substr(0, 20), "winperf_object_238_x");
  EXPECT_EQ(mapping.unnamed, 2U);
}

TEST(CounterName_OfEndlessNames, StaysShortAndDistinct) {
  const std::string base(5000, 'x');
  const ObjectMapping mapping = map_object(
      object(base, {counter(base + "a", kRawCount), counter(base + "b", kRawCount)}), {});
  EXPECT_LT(full_name(mapping.families[0]).size(), 400U);
  EXPECT_NE(full_name(mapping.families[0]), full_name(mapping.families[1]));
}

TEST(CounterName_OfANameThatIsReadWhole, NeedsNoHash) {
  const std::string whole(160, 'x');
  const auto stem = [](const std::string& name) {
    return name_counter(counter(name, kRawCount), MetricType::kGauge, {}, "object").stem;
  };
  EXPECT_EQ(stem(whole), whole);
  EXPECT_EQ(name_object(object(whole, {})), whole);
  const std::string cut = whole + '_';
  EXPECT_TRUE(stem(whole + 'x').starts_with(cut));
  EXPECT_TRUE(name_object(object(whole + 'x', {})).starts_with(cut));
}

TEST(ObjectName_WithoutALetterThatANameMayHave, IsAHash) {
  const std::string name = name_object(object("\xD0\x9F", {}));
  EXPECT_TRUE(name.starts_with('x'));
  EXPECT_GT(name.size(), 4U);
  EXPECT_NE(name, name_object(object("\xD0\xA0", {})));
}

}  // namespace
}  // namespace winperf
