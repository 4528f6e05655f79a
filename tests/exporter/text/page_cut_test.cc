#include "exporter/text/page_cut.h"

#include <gmock/gmock.h>

#include "exporter/text/own_families.h"
#include "exporter/text/sample_writer.h"
#include "tests/exporter/support/sample_builder.h"

namespace winperf {
namespace {

using namespace testing;  // NOLINT: builders of this room's tests
using ::testing::ElementsAre;
using ::testing::HasSubstr;

// What is written behind an earlier text, and cut out again.
std::string cut(const Sample& sample, const PageFilter& filter,
                PageFormat format = PageFormat::kText) {
  SampleWriter writer(MappingOptions{});
  std::string page = "# before\n";
  writer.append(page, sample, format);
  return cut_page(page, writer.take_parts(), sample, filter);
}

// The same, of a sample that has nothing else.
std::string written(const Sample& sample, std::vector<bool> left_out,
                    PageFormat format = PageFormat::kText) {
  std::string page;
  SampleWriter(MappingOptions{}).append(page, sample, format, left_out);
  return page;
}

TEST(PageFilter, AdmitsACountersetByItsNameAndItsObjects) {
  const auto processor = state("Processor Information", values(object("Processor", {})));
  const auto admits = [&](std::vector<std::string> names) {
    return PageFilter{.countersets = std::move(names)}.admits(processor);
  };
  EXPECT_TRUE(admits({}));
  EXPECT_TRUE(admits({"processor INFORMATION"}));
  EXPECT_TRUE(admits({"Memory", "processor"}));
  EXPECT_FALSE(admits({"Memory", "Process"}));
  CountersetState failed;
  failed.name = "Absent";
  EXPECT_TRUE((PageFilter{.countersets = {"absent"}}.admits(failed)));
  EXPECT_FALSE((PageFilter{.countersets = {""}}.admits(failed)));
}

TEST(CutPage, OfEverything_IsTheWholeOfTheSample) {
  for (const PageFormat format : {PageFormat::kText, PageFormat::kOpenMetrics})
    EXPECT_EQ(cut(*typical_sample(1), {}, format), written(*typical_sample(1), {}, format));
}

TEST(CutPage, OfACounterset_IsAsIfTheOthersWerentThere) {
  for (const PageFormat format : {PageFormat::kText, PageFormat::kOpenMetrics}) {
    EXPECT_EQ(cut(*typical_sample(1), {.countersets = {"Memory"}}, format),
              written(*typical_sample(1), {true, false}, format));
    EXPECT_EQ(cut(*typical_sample(1), {.countersets = {"Processor"}}, format),
              written(*typical_sample(1), {false, true}, format));
  }
  EXPECT_EQ(cut(*typical_sample(1), {.countersets = {"Absent"}}), "");
}

TEST(CutPage, OfAFamilyThatCountersetsShare_HasItsCommentsOnce) {
  const auto tcp = [](const char* name) {
    return state(name, values(object(name, {counter("Segments Sent/sec", kBulkCount)})));
  };
  const auto both = sample(1, {tcp("TCPv4"), tcp("TCPv6"), tcp("Other")});
  EXPECT_EQ(cut(*both, {.countersets = {"TCPv4", "TCPv6"}}), written(*both, {false, false, true}));
  EXPECT_EQ(cut(*both, {.countersets = {"TCPv6"}}), written(*both, {true, false, true}));
}

TEST(CutPage, OfNames_HasTheseMetricsAlone) {
  const PageFilter filter{.countersets = {},
                          .names = {"winperf_memory_available_bytes", "winperf_nothing",
                                    "winperf_cpu_interrupts_total"}};
  const std::string page = cut(*typical_sample(1), filter);
  std::vector<std::string> types;
  for (auto at = page.find("# TYPE "); at != std::string::npos; at = page.find("# TYPE ", at + 1))
    types.push_back(page.substr(at + 7, page.find('\n', at) - at - 7));
  EXPECT_THAT(types, ElementsAre("winperf_cpu_interrupts_total counter",
                                 "winperf_memory_available_bytes gauge"));
  EXPECT_THAT(page, HasSubstr("\nwinperf_cpu_interrupts_total{core=\"1\"} 9007199254740993\n"));
  EXPECT_EQ(cut(*typical_sample(1),
                {.countersets = {"Processor"}, .names = {"winperf_memory_available_bytes"}}),
            "");
}

TEST(CutFamilies, LeavesWhatIsAboutAll) {
  const auto published = typical_sample(1);
  const auto left = [&](const PageFilter& filter) {
    std::vector<prometheus::MetricFamily> families{
        own_family("a", "", prometheus::MetricType::Gauge),
        own_family("b", "", prometheus::MetricType::Gauge)};
    families[0].metric = {own_metric("counterset", "Memory", prometheus::MetricType::Gauge, 1),
                          own_metric("counterset", "Processor", prometheus::MetricType::Gauge, 2),
                          own_metric("counterset", "", prometheus::MetricType::Gauge, 3)};
    families[1].metric = {own_metric("worker", "x", prometheus::MetricType::Gauge, 4)};
    std::vector<double> numbers;
    for (const auto& family : cut_families(std::move(families), *published, filter))
      for (const auto& metric : family.metric) numbers.push_back(metric.gauge.value);
    return numbers;
  };
  EXPECT_THAT(left({}), ElementsAre(1, 2, 3, 4));
  EXPECT_THAT(left({.countersets = {"memory"}}), ElementsAre(1, 4));
  EXPECT_THAT(left({.countersets = {}, .names = {"b"}}), ElementsAre(4));
  EXPECT_THAT(left({.countersets = {"memory"}, .names = {"a"}}), ElementsAre(1));
}

}  // namespace
}  // namespace winperf
