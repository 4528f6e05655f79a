#include "exporter/mapping/page_plan.h"

#include <gmock/gmock.h>

#include "exporter/mapping/family.h"
#include "exporter/mapping/instance_labels.h"
#include "tests/exporter/support/sample_builder.h"
#include "tests/support/sample_arrays.h"

namespace winperf {
namespace {

using namespace testing;  // NOLINT: builders of this room's tests
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

std::vector<FamilyMapping> families_of(const CountersetSchema& schema,
                                       std::vector<CustomMetric> metrics) {
  static std::vector<std::unique_ptr<CustomBlocks>> kept;
  kept.push_back(std::make_unique<CustomBlocks>(
      std::vector<CustomObject>{{.counterset = "A", .metrics = std::move(metrics)}}));
  return map_custom(schema, *kept.back()->find("A"));
}

TEST(CustomMetrics, AreThoseOfTheirCounterset) {
  const CustomBlocks blocks({{.counterset = "A"}, {.counterset = "B"}});
  EXPECT_NE(blocks.find("B"), nullptr);
  EXPECT_NE(blocks.find("A"), blocks.find("B"));
  EXPECT_EQ(blocks.find("C"), nullptr);
}

TEST(CustomMetrics, HaveNameLabelsAndTypeAsGiven) {
  const auto families =
      families_of(object("A", {counter("x", kRawCount), counter("y/sec", kCounterCounter)}),
                  {{.counter = "X", .name = "m", .labels = {{"a", "b\"c"}}},
                   {.counter = "y/sec", .name = "n"},
                   {.counter = "x", .name = "o", .type = CustomType::kCounter},
                   {.counter = "y/sec", .name = "p", .type = CustomType::kGauge},
                   {.counter = "nothing", .name = "q"}});
  ASSERT_THAT(families, SizeIs(4));
  EXPECT_EQ(families[0].stem + families[0].suffix, "m");
  EXPECT_EQ(families[0].labels, R"(a="b\"c")");
  EXPECT_EQ(families[0].type, MetricType::kGauge);
  EXPECT_EQ(families[1].type, MetricType::kCounter);
  EXPECT_EQ(families[2].type, MetricType::kCounter);
  EXPECT_EQ(families[3].type, MetricType::kGauge);
}

TEST(CustomMetrics, HaveTheValuesOfWindowsExporter) {
  const auto value = [](std::uint32_t type, CustomValue kind) {
    const CountersetSchema schema = object("A", {counter("x", type)});
    const auto families = families_of(schema, {{.counter = "x", .name = "m", .value = kind}});
    CountersetSample sample = values(schema, {instance("a", 0)});
    sample.raw[0] = 20'000'000;
    testing::totals(sample)[0] = 20'000'000;
    sample.cooked[0] = 12.5;
    return std::visit([](auto number) { return static_cast<double>(number); },
                      *metric_value(families.at(0).value, sample, 0));
  };
  EXPECT_EQ(value(k100nsTimer, CustomValue::kRaw), 2);
  EXPECT_EQ(value(k100nsTimerInverse, CustomValue::kRaw), 20'000'000)
      << "neither scaled nor inverted";
  EXPECT_EQ(value(kRawCount, CustomValue::kRaw), 20'000'000);
  EXPECT_EQ(value(k100nsTimerInverse, CustomValue::kCooked), 12.5);
}

TEST(CustomMetrics, OfInstances_LeaveTotalsOutUnlessTheyAreWanted) {
  const auto labels = [](bool total_instances) {
    const CustomBlocks blocks({{.counterset = "A",
                                .instance_label = "core",
                                .total_instances = total_instances,
                                .metrics = {{.counter = "x", .name = "m"}}}});
    CountersetSchema schema = object("A", {counter("x", kRawCount)});
    schema.multi_instance = true;
    const CountersetSample sample = values(schema, {instance("0", 0), instance("_Total", 1)});
    const auto families = map_custom(*sample.schema, *blocks.find("A"));
    std::vector<std::string> all;
    for (const auto& row :
         label_rows(*sample.schema, sample.instances.get(), *families.at(0).block).rows)
      all.push_back(row.labels.at(0).name + '=' + row.labels.at(0).value);
    return all;
  };
  EXPECT_THAT(labels(false), ElementsAre("core=0"));
  EXPECT_THAT(labels(true), ElementsAre("core=0", "core=_Total"));
}

}  // namespace
}  // namespace winperf
