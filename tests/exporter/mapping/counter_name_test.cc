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
    {"Processor", "% Processor Time", k100nsTimerInverse,
     "winperf_processor_processor_time_idle_seconds_total"},
    {"Processor", "% User Time", k100nsTimer, "winperf_processor_user_time_seconds_total"},
    {"Processor", "Interrupts/sec", kCounterCounter, "winperf_processor_interrupts_total"},
    {"Memory", "Available Bytes", kLargeRawCount, "winperf_memory_available_bytes"},
    {"Memory", "Available KBytes", kLargeRawCount, "winperf_memory_available_kbytes_bytes", 1024},
    {"Memory", "Available MBytes", kLargeRawCount, "winperf_memory_available_mbytes_bytes",
     1048576},
    {"Memory", "% Committed Bytes In Use", kRawFraction,
     "winperf_memory_committed_bytes_in_use_ratio"},
    {"LogicalDisk", "Free Megabytes", kRawCount, "winperf_logical_disk_free_bytes", 1048576},
    {"LogicalDisk", "% Free Space", kRawFraction, "winperf_logical_disk_free_space_ratio"},
    {"PhysicalDisk", "Avg. Disk sec/Read", kAverageTimer,
     "winperf_physical_disk_disk_per_read_seconds_total"},
    {"PhysicalDisk", "Avg. Disk Bytes/Read", kAverageBulk,
     "winperf_physical_disk_disk_per_read_bytes_total"},
    {"PhysicalDisk", "Disk Read Bytes/sec", kBulkCount,
     "winperf_physical_disk_disk_read_bytes_total"},
    {"PhysicalDisk", "Avg. Disk Queue Length", kQueueLength,
     "winperf_physical_disk_disk_queue_length_seconds_total"},
    {"PhysicalDisk", "% Disk Time", kPrecision100ns,
     "winperf_physical_disk_disk_time_seconds_total"},
    {"Network Interface", "Bytes Total/sec", kBulkCount, "winperf_network_interface_bytes_total"},
    {"Network Interface", "Packets Outbound Errors", kRawCount,
     "winperf_network_interface_packets_outbound_errors_total"},
    {"Network Interface", "Current Bandwidth", kLargeRawCount,
     "winperf_network_interface_current_bandwidth_bytes_per_second", 0.125},
    {"TCPv4", "Connections Established", kRawCount, "winperf_tcpv4_connections_established"},
    {"TCPv4", "Connections Reset", kRawCount, "winperf_tcpv4_connections_reset_total"},
    {"Process", "Thread Count", kRawCount, "winperf_process_threads"},
    {"Process", "Elapsed Time", kElapsedTime, "winperf_process_start_time_seconds"},
    {"System", "System Up Time", kElapsedTime, "winperf_system_system_start_time_seconds"},
    {"Process Address Space", "Bytes Free", kRawCount, "winperf_process_address_space_free_bytes"},
    {"Job", "Process Count - Total", kRawCount, "winperf_job_total_processes"},
    {"Cache", "Copy Read Hits %", kSampleFraction, "winperf_cache_copy_read_hits_total"},
    {"Paging File", "% Usage", kRawCount, "winperf_paging_file_usage_ratio", 0.01},
    {"RAS", "Compression Ratio", kRawFraction, "winperf_ras_compression_ratio"},
    {"Processor Information", "% Processor Utility", kAverageBulk,
     "winperf_processor_information_processor_utility_percent_total"},
    {"USB", "Avg ms latency for ISO transfers", kRawCount,
     "winperf_usb_avg_millisecond_latency_for_iso_transfers"},
    {"BITS Net Utilization", "BITS Download Response Interval (msec)", kRawCount,
     "winperf_bit_net_utilization_bit_download_response_interval_seconds", 1e-3},
    {"BITS Net Utilization", "IGD Speed (Bits/Sec)", kRawCount,
     "winperf_bit_net_utilization_igd_speed_bytes_per_second", 0.125},
    {"Database", "Database Cache Size (MB)", kRawCount,
     "winperf_database_database_cache_size_bytes", 1048576},
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
};

TEST(CounterName_FollowsTheRule, ForKnownCounters) {
  for (const Example& example : kExamples) {
    const ObjectMapping mapping =
        map_object(object(example.object, {counter(example.counter, example.type)}), {});
    ASSERT_FALSE(mapping.families.empty()) << example.counter;
    EXPECT_EQ(full_name(mapping.families[0]), example.name);
    EXPECT_EQ(lint_name(example.name, mapping.families[0].type), "") << example.name;
    EXPECT_DOUBLE_EQ(mapping.families[0].value.factor, example.factor) << example.counter;
  }
}

TEST(CounterName_WithoutText, ComesFromTheIndexOrAHash) {
  CountersetSchema schema = object("", {counter("", kRawCount, 77), counter("", k100nsTimer, 79),
                                        counter("\xD0\x9F", kRawCount, 81)});
  const ObjectMapping mapping = map_object(schema, {});
  ASSERT_EQ(mapping.families.size(), 3U);
  EXPECT_EQ(full_name(mapping.families[0]), "winperf_object_238_counter_77");
  EXPECT_EQ(full_name(mapping.families[1]), "winperf_object_238_counter_79_seconds_total");
  EXPECT_EQ(full_name(mapping.families[2]).substr(0, 20), "winperf_object_238_x");
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
  EXPECT_EQ(name_counter(counter(whole, kRawCount), MetricType::kGauge, {}).stem, whole);
  EXPECT_EQ(name_displayed(counter(whole, k100nsTimer)).stem, whole);
  EXPECT_EQ(name_object(object(whole, {})), whole);
  const std::string cut = whole + '_';
  EXPECT_TRUE(
      name_counter(counter(whole + 'x', kRawCount), MetricType::kGauge, {}).stem.starts_with(cut));
  EXPECT_TRUE(name_displayed(counter(whole + 'x', k100nsTimer)).stem.starts_with(cut));
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
