#include "service/commands/named_metrics.h"

#include <gmock/gmock.h>

#include "tests/exporter/support/sample_builder.h"

namespace winperf {
namespace {

using namespace testing;  // NOLINT: builders of the exporter's tests
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

Listing disk() {
  ListedObject object{.schema = testing::object("LogicalDisk",
                                                {counter("% Disk Read Time", k100nsTimer, 6),
                                                 counter("% Disk Write Time", k100nsTimer, 8),
                                                 counter("% Disk Time", k100nsTimer, 10),
                                                 counter("Free Megabytes", kRawCount, 12)},
                                                true, 236)};
  object.instances_known = true;
  object.instances = {"C:", "_Total"};
  return {.objects = {object}, .problems = {}};
}

Config sampling_disks() {
  Config config;
  config.countersets = {{}};
  config.countersets.front().label = "LogicalDisk";
  config.countersets.front().names = {"LogicalDisk"};
  return config;
}

std::vector<std::string> shown(const std::vector<std::string>& names) {
  std::vector<std::string> list;
  for (const ListedMetric& metric :
       named_metrics(list_metrics(disk(), sampling_disks(), true), disk(), names))
    if (metric.on_page()) list.push_back(metric.name);
  return list;
}

std::vector<std::string> reasons(const std::vector<std::string>& names,
                                 const Config& config = sampling_disks()) {
  const auto metrics = named_metrics(list_metrics(disk(), config, true), disk(), names);
  return reasons_without_metric(metrics, disk(), config, names);
}

TEST(NamedMetrics, OfAPathAreThoseOfItsCounterAmongTheWholeObject) {
  EXPECT_THAT(shown({R"(\LogicalDisk(C:)\Free Megabytes)"}),
              ElementsAre("winperf_logical_disk_free_bytes"));
  EXPECT_THAT(shown({"LogicalDisk"}), ElementsAre("winperf_logical_disk_free_bytes",
                                                  "winperf_logical_disk_time_seconds_total"));
  // As if it were alone, it would have a metric.
  EXPECT_THAT(shown({R"(\LogicalDisk(C:)\% Disk Time)"}), IsEmpty());
}

TEST(NamedMetrics, ACounterThatOthersContainHasAReason) {
  EXPECT_THAT(reasons({R"(\LogicalDisk(C:)\% Disk Time)"}),
              ElementsAre("\"% Disk Time\" has no metric, because it can be computed from those of "
                          "\"% Disk Read Time\", \"% Disk Write Time\""));
  EXPECT_THAT(reasons({R"(\LogicalDisk(C:)\Free Megabytes)"}), IsEmpty());
  EXPECT_THAT(reasons({"LogicalDisk"}), IsEmpty()) << "nothing was asked for";
}

TEST(NamedMetrics, WhatIsNotSampledHasAReason) {
  Config config = sampling_disks();
  config.countersets.front().label = "Memory";
  config.countersets.front().names = {"Memory"};
  EXPECT_THAT(
      reasons({R"(\LogicalDisk(C:)\Free Megabytes)"}, config),
      ElementsAre("\"LogicalDisk\\Free Megabytes\" is not sampled by this configuration; add "
                  "it to countersets, or its collector set to collect"));
}

TEST(NamedMetrics, ATotalHasAReasonUnlessItIsServed) {
  const std::vector<std::string> total{R"(\LogicalDisk(_Total)\Free Megabytes)"};
  EXPECT_THAT(reasons(total), ElementsAre(HasSubstr("adds up others and is not on /metrics")));
  Config config = sampling_disks();
  config.metrics.total_instances = true;
  EXPECT_THAT(reasons(total, config), IsEmpty());
}

}  // namespace
}  // namespace winperf
