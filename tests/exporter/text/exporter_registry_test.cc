#include "exporter/text/exporter_registry.h"

#include <gmock/gmock.h>

#include <map>
#include <string>
#include <utility>

#include "exporter/text/own_families.h"
#include "tests/exporter/support/own_series.h"

namespace winperf {
namespace {

std::string text_of(const ProcessFacts& facts) {
  const ExporterRegistry registry({}, {}, [&] { return facts; });
  std::string text;
  append_own(text, PageFormat::kText, registry.metrics());
  return text;
}

TEST(ProcessMetrics, HaveTheNamesThatAllExportersUse) {
  const std::string text = text_of(
      {.cpu_seconds = 1.5, .resident_bytes = 4096, .committed_bytes = 8192, .open_handles = 7});
  EXPECT_THAT(text, ::testing::HasSubstr("# TYPE process_cpu_seconds_total counter\n"
                                         "process_cpu_seconds_total 1.5\n"));
  EXPECT_THAT(text, ::testing::HasSubstr("\nprocess_open_fds 7\n"));
  EXPECT_THAT(text, ::testing::HasSubstr("\nprocess_resident_memory_bytes 4096\n"));
  EXPECT_THAT(text, ::testing::HasSubstr("\nprocess_virtual_memory_bytes 8192\n"));
}

TEST(ProcessMetrics, WhatIsNotKnownIsAbsent) {
  const std::string without = text_of({});
  for (const char* const name : {"process_cpu", "process_open", "process_res", "process_virtual"})
    EXPECT_THAT(without, ::testing::Not(::testing::HasSubstr(name)));
  EXPECT_THAT(text_of({.open_handles = 0}), ::testing::HasSubstr("process_open_fds 0\n"));
}

using Values = std::map<std::string, double>;  // the name with its labels

Values series_of(const ExporterRegistry& registry) {
  Values series;
  for (const auto& family : testing::collected(registry.metrics())) {
    for (const auto& metric : family.metric) {
      std::string name = family.name;
      for (const auto& label : metric.label) name += ',' + label.name + '=' + label.value;
      const double value = family.type == prometheus::MetricType::Counter ? metric.counter.value
                                                                          : metric.gauge.value;
      EXPECT_TRUE(series.emplace(std::move(name), value).second) << family.name;
    }
  }
  return series;
}

constexpr Ticks100ns at(double unix_seconds) {
  return {kUnixEpoch100ns + static_cast<std::int64_t>(unix_seconds * 1e7)};
}

class ExporterRegistryTest : public ::testing::Test {
 protected:
  Values series() const { return series_of(registry_); }

  ExporterRegistry registry_{
      {"1.2.3", "abc", "gcc", "linux", "x86_64"}, at(1000.5), [] { return ProcessFacts{}; }};
};

TEST_F(ExporterRegistryTest, ShowsWhetherTheLogIsWritten) {
  registry_.show_log(false, 3);
  registry_.show_log(false, 5);
  EXPECT_EQ(series()["winperf_exporter_log_written"], 0);
  EXPECT_EQ(series()["winperf_exporter_log_lost_lines_total"], 5);
  registry_.show_log(true, 5);
  EXPECT_EQ(series()["winperf_exporter_log_written"], 1);
}

TEST_F(ExporterRegistryTest, ShowsWhenCertificatesAreValid) {
  using std::chrono::seconds;
  const auto at = [](int since_1970) { return std::chrono::sys_seconds(seconds(since_1970)); };
  registry_.show_certificate("a:1", ExporterRegistry::Validity{.begins = at(7), .ends = at(9)});
  const std::string start = "winperf_exporter_tls_certificate_start_timestamp_seconds,address=a:1";
  const std::string end = "winperf_exporter_tls_certificate_expiry_timestamp_seconds,address=a:1";
  EXPECT_EQ(series()[start], 7);
  EXPECT_EQ(series()[end], 9);
  registry_.show_certificate("a:1", std::nullopt);
  EXPECT_EQ(series().count(start) + series().count(end), 0U);
}

TEST_F(ExporterRegistryTest, ShowsWhatTheRecorderHas) {
  registry_.show_recorder(
      ExporterRegistry::Recorded{.bytes = 5'000, .reach = std::chrono::milliseconds(1'500)});
  EXPECT_EQ(series()["winperf_exporter_recorder_bytes"], 5'000);
  EXPECT_EQ(series()["winperf_exporter_recorder_reach_seconds"], 1.5);
  registry_.show_recorder(std::nullopt);
  EXPECT_EQ(series().count("winperf_exporter_recorder_bytes"), 0U);
  EXPECT_EQ(series().count("winperf_exporter_recorder_reach_seconds"), 0U);
}

TEST_F(ExporterRegistryTest, CountsCapturesOfTheRecorderByReason) {
  registry_.show_captures("counter");
  registry_.show_captures("service_stops");
  registry_.count_capture("counter");
  registry_.count_capture_left_out("counter");
  registry_.count_capture_left_out("counter");
  registry_.count_capture_failure();
  auto now = series();
  EXPECT_EQ(now["winperf_exporter_recorder_captures_total,reason=counter"], 1);
  EXPECT_EQ(now["winperf_exporter_recorder_captures_total,reason=service_stops"], 0);
  EXPECT_EQ(now["winperf_exporter_recorder_captures_left_out_total,reason=counter"], 2);
  EXPECT_EQ(now.count("winperf_exporter_recorder_captures_left_out_total,reason=service_stops"),
            1U);
  EXPECT_EQ(now["winperf_exporter_recorder_capture_failures_total"], 1);
}

TEST_F(ExporterRegistryTest, AtTheStart_SaysWhichBuildRunsSinceWhen) {
  const Values expected = {
      {"winperf_exporter_build_info,arch=x86_64,compiler=gcc,os=linux,revision=abc,version=1.2.3",
       1},
      {"winperf_exporter_config_last_reload_success_timestamp_seconds", 1000.5},
      {"winperf_exporter_config_last_reload_successful", 1},
      {"winperf_exporter_config_reload_failures_total", 0},
      {"winperf_exporter_config_reloads_total", 0},
      {"winperf_exporter_http_connections", 0},
      {"winperf_exporter_http_queue_length", 0},
      {"winperf_exporter_http_sent_bytes_total", 0},
      {"winperf_exporter_http_threads", 0},
      {"winperf_exporter_early_scrapes_total", 0},
      {"winperf_exporter_log_lost_lines_total", 0},
      {"winperf_exporter_log_written", 1},
      {"winperf_exporter_renderings_total", 0},
      {"winperf_exporter_scrape_bytes_total", 0},
      {"winperf_exporter_scrape_seconds_total", 0},
      {"winperf_exporter_scrapes_total", 0},
      {"process_start_time_seconds", 1000.5},
  };
  EXPECT_EQ(series(), expected);
}

TEST_F(ExporterRegistryTest, WhatWasSent_IsCountedForTheOwnCountersToo) {
  using std::chrono::milliseconds;
  registry_.count_sent({.bytes = 100});
  registry_.count_sent(
      {.bytes = 50, .scrapes = 2, .scrape_bytes = 40, .scrape_time = milliseconds(250)});
  registry_.change_http_load({.connections = 3});
  EXPECT_FALSE(registry_.numbers().series);
  registry_.count_rendering(7);
  const Values now = series();
  EXPECT_EQ(now.at("winperf_exporter_http_sent_bytes_total"), 150);
  EXPECT_EQ(now.at("winperf_exporter_scrapes_total"), 2);
  EXPECT_EQ(now.at("winperf_exporter_scrape_bytes_total"), 40);
  EXPECT_EQ(now.at("winperf_exporter_scrape_seconds_total"), 0.25);
  const ExporterRegistry::Numbers numbers = registry_.numbers();
  EXPECT_EQ(numbers.connections, 3);
  EXPECT_EQ(numbers.sent.bytes, 150U);
  EXPECT_EQ(numbers.sent.scrapes, 2U);
  EXPECT_EQ(numbers.sent.scrape_bytes, 40U);
  EXPECT_EQ(numbers.sent.scrape_time, milliseconds(250));
  EXPECT_EQ(numbers.series, 7U);
}

TEST_F(ExporterRegistryTest, OwnCounters_AreShownOnceTheyArePublished) {
  EXPECT_FALSE(series().contains("winperf_exporter_own_counters_updates_total"));
  registry_.show_own_counters(3, 1);
  registry_.show_own_counters(5, 1);
  EXPECT_EQ(series().at("winperf_exporter_own_counters_updates_total"), 5);
  EXPECT_EQ(series().at("winperf_exporter_own_counters_failures_total"), 1);
}

TEST_F(ExporterRegistryTest, AReload_IsCountedAndOnlySuccessMovesItsTime) {
  struct Step {
    bool success;
    double at;
    double successful, reloads, failures, time;
  };
  for (const Step& step :
       {Step{true, 2000.25, 1, 1, 0, 2000.25}, Step{false, 3000, 0, 2, 1, 2000.25},
        Step{false, 4000, 0, 3, 2, 2000.25}, Step{true, 5000, 1, 4, 2, 5000}}) {
    registry_.count_reload(step.success, at(step.at));
    Values now = series();
    EXPECT_EQ(now["winperf_exporter_config_last_reload_successful"], step.successful);
    EXPECT_EQ(now["winperf_exporter_config_reloads_total"], step.reloads);
    EXPECT_EQ(now["winperf_exporter_config_reload_failures_total"], step.failures);
    EXPECT_EQ(now["winperf_exporter_config_last_reload_success_timestamp_seconds"], step.time);
    EXPECT_EQ(now["process_start_time_seconds"], 1000.5);
  }
}

TEST_F(ExporterRegistryTest, WhatHappens_IsCountedByItsLabels) {
  const Values before = series();
  for (int i = 0; i < 3; ++i) registry_.count_request("/metrics", 200);
  for (int i = 0; i < 2; ++i) registry_.count_request("/metrics", 503);
  registry_.count_request("other", 200);
  for (int i = 0; i < 2; ++i) registry_.count_shed("queue");
  registry_.count_shed("no_room", 0);
  registry_.change_http_load({.connections = 5, .queue = 7, .threads = 10});
  registry_.change_http_load({.connections = -2, .queue = -6, .threads = -5});
  for (int i = 0; i < 4; ++i) registry_.count_rendering(7);
  for (int i = 0; i < 5; ++i) registry_.count_abandoned_match("a");
  registry_.count_abandoned_match("b");
  Values expected = before;
  expected["winperf_exporter_http_requests_total,code=200,route=/metrics"] = 3;
  expected["winperf_exporter_http_requests_total,code=503,route=/metrics"] = 2;
  expected["winperf_exporter_http_requests_total,code=200,route=other"] = 1;
  expected["winperf_exporter_http_shed_total,reason=queue"] = 2;
  expected["winperf_exporter_http_shed_total,reason=no_room"] = 0;
  expected["winperf_exporter_http_connections"] = 3;
  expected["winperf_exporter_http_queue_length"] = 1;
  expected["winperf_exporter_http_threads"] = 5;
  expected["winperf_exporter_renderings_total"] = 4;
  expected["winperf_exporter_abandoned_matches_total,counterset=a"] = 5;
  expected["winperf_exporter_abandoned_matches_total,counterset=b"] = 1;
  EXPECT_EQ(series(), expected);
}

}  // namespace
}  // namespace winperf
