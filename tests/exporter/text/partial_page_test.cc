// Parts of /metrics beside what the plain rule makes of the whole page.
#include <gtest/gtest.h>

#include <random>
#include <string>
#include <thread>
#include <vector>

#include "exporter/text/metrics_page.h"
#include "exporter/text/sample_writer.h"
#include "tests/exporter/support/gunzip.h"
#include "tests/exporter/support/large_sample.h"
#include "tests/exporter/support/page_oracle.h"
#include "tests/exporter/support/sample_builder.h"

namespace winperf {
namespace {

using namespace testing;  // NOLINT: builders of this room's tests

class PartialPage : public ::testing::TestWithParam<PageFormat> {
 protected:
  PartialPage() {
    registry_.count_abandoned_match("Object 9");
    registry_.count_abandoned_match("Shared");
    registry_.count_abandoned_match("Gone");
    slot_.publish(sample_);
    SampleWriter writer(MappingOptions{});
    writer.append(of_sample_, *sample_, GetParam());
    parts_ = writer.take_parts();
    const std::string whole = page_.text(GetParam()).str();
    const std::string at_end = of_sample_ + end_;
    EXPECT_TRUE(whole.ends_with(at_end));
    own_ = whole.substr(0, whole.size() - at_end.size());
  }

  std::string expected(const PageFilter& filter) const {
    return cut_by_lines(own_, *sample_, filter) +
           cut_by_parts(of_sample_, parts_, *sample_, filter) + end_;
  }

  void expect_part(const PageFilter& filter) {
    const std::string text = page_.text(GetParam(), filter).str();
    ASSERT_EQ(text, expected(filter));
    ASSERT_EQ(gunzipped(page_.gzipped(GetParam(), filter).str()), text);
  }

  std::vector<std::string> names_of_metrics() {
    std::vector<std::string> names{"winperf_nothing",
                                   "",
                                   "winperf_exporter_renderings_total",
                                   "winperf_exporter_counterset_series",
                                   "winperf_exporter_problems_total",
                                   "process_cpu_seconds_total"};
    for (const PagePart& part : parts_)
      names.push_back(of_sample_.substr(part.begin, part.name_size));
    return names;
  }

  std::shared_ptr<const Sample> sample_ = large_sample(30);
  const std::string end_ = GetParam() == PageFormat::kOpenMetrics ? "# EOF\n" : "";
  std::string of_sample_;
  std::vector<PagePart> parts_;
  std::string own_;
  SampleSlot slot_;
  ExporterRegistry registry_{{"1.2.3", "abc", "gcc", "linux", "x86_64"}, kSampledAt, [] {
                               return ProcessFacts{.cpu_seconds = 2};
                             }};
  MetricsPage page_{slot_, registry_, MappingOptions{}, [] { return kTaken; }};
};

TEST_P(PartialPage, OfAnyCountersets_IsWhatThePlainRuleMakesOfTheWhole) {
  std::mt19937 random(7);
  for (int turn = 0; turn < 60; ++turn) {
    PageFilter filter;
    const auto chosen = std::uniform_int_distribution<std::size_t>(0, 100)(random);
    for (const CountersetState& state : sample_->countersets)
      if (random() % 101 <= chosen) filter.countersets.push_back(state.name);
    std::ranges::shuffle(filter.countersets, random);
    if (random() % 4 == 0) filter.countersets.emplace_back("tcpV4");
    if (random() % 8 == 0) filter.topics.push_back(FactTopic::kOs);
    expect_part(filter);
  }
}

TEST_P(PartialPage, OfAnyNames_IsWhatThePlainRuleMakesOfTheWhole) {
  std::mt19937 random(11);
  const auto names = names_of_metrics();
  for (int turn = 0; turn < 40; ++turn) {
    PageFilter filter;
    for (auto count = random() % (turn % 10 == 0 ? 500 : 8); count > 0; --count)
      filter.names.push_back(names[random() % names.size()]);
    for (auto count = random() % 3; count > 0; --count)
      filter.countersets.push_back(sample_->countersets[random() % 30].name);
    expect_part(filter);
  }
}

TEST_P(PartialPage, OfTheSameCountersets_IsTheSameInAnyOrder) {
  const PageFilter one{.countersets = {"Object 9", "TCPv6", "IPv4"}};
  const PageFilter other{.countersets = {"ipv4", "tcpv6", "IPv4", "object 9"}};
  EXPECT_EQ(page_.text(GetParam(), one).str(), page_.text(GetParam(), other).str());
  EXPECT_EQ(page_.gzipped(GetParam(), one).str(), page_.gzipped(GetParam(), other).str());
}

TEST_P(PartialPage, IsRightHoweverManyAskAtTheSameTime) {
  const auto ask = [this](std::size_t first) {
    for (std::size_t i = first; i < sample_->countersets.size(); i += 2) {
      PageFilter filter{.countersets = {sample_->countersets[i].name}};
      if (i % 3 == 0) filter.names = names_of_metrics();
      expect_part(filter);
    }
  };
  const std::jthread even(ask, 0), odd(ask, 1), again(ask, 0);
}

INSTANTIATE_TEST_SUITE_P(InBothFormats, PartialPage,
                         ::testing::Values(PageFormat::kText, PageFormat::kOpenMetrics));

}  // namespace
}  // namespace winperf
