#include "exporter/text/own_families.h"

#include <gmock/gmock.h>

#include "tests/exporter/support/sample_builder.h"

namespace winperf {
namespace {

using namespace testing;  // NOLINT: builders of this room's tests
using ::testing::ElementsAre;

TEST(SelectedFamilies, LeaveWhatIsAboutAll) {
  const CountersetIndex index(typical_sample(1));
  const auto left = [&](const PageFilter& filter) {
    std::vector<prometheus::MetricFamily> families{
        own_family("a", "", prometheus::MetricType::Gauge),
        own_family("b", "", prometheus::MetricType::Gauge)};
    families[0].metric = {own_metric("counterset", "Memory", prometheus::MetricType::Gauge, 1),
                          own_metric("counterset", "Processor", prometheus::MetricType::Gauge, 2),
                          own_metric("counterset", "", prometheus::MetricType::Gauge, 3)};
    families[1].metric = {own_metric("worker", "x", prometheus::MetricType::Gauge, 4)};
    std::vector<double> numbers;
    for (const auto& family : selected_families(std::move(families), {filter, &index}))
      for (const auto& metric : family.metric) numbers.push_back(metric.gauge.value);
    return numbers;
  };
  EXPECT_THAT(left({}), ElementsAre(1, 2, 3, 4));
  EXPECT_THAT(left({.countersets = {"memory"}}), ElementsAre(1, 4));
  EXPECT_THAT(left({.names = {"b"}}), ElementsAre(4));
  EXPECT_THAT(left({.countersets = {"memory"}, .names = {"a"}}), ElementsAre(1));
}

}  // namespace
}  // namespace winperf
