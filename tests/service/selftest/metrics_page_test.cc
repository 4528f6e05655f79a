#include "service/selftest/metrics_page.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace winperf::selftest {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Pair;
using ::testing::StartsWith;

std::vector<std::string> refusals_of(std::string_view text, bool is_openmetrics = false) {
  return MetricsPage(text, is_openmetrics).refusals();
}

TEST(MetricsPage, NumbersOfAPage) {
  const MetricsPage page(
      "# HELP a_total What.\n# TYPE a_total counter\na_total{x=\"1\",y=\"p\"} 2\n"
      "a_total{x=\"2\",y=\"p\"} 3\nb 4\n",
      false);
  EXPECT_THAT(page.refusals(), IsEmpty());
  EXPECT_EQ(page.series(), 3U);
  EXPECT_EQ(page.value("b"), 4);
  EXPECT_EQ(page.value("a_total", "x=\"1\",y=\"p\""), 2);
  EXPECT_EQ(page.value("a_total"), std::nullopt);
  EXPECT_EQ(page.sum("a_total"), 5);
  EXPECT_EQ(page.sum("a_total", "x=\"2\""), 3);
  EXPECT_EQ(page.sum("a_total", "x=\"3\""), std::nullopt);
  EXPECT_EQ(page.sum("a"), std::nullopt);
}

TEST(MetricsPage, WhatPrometheusWouldRefuseHasItsLine) {
  EXPECT_THAT(refusals_of("a 1\nb x\n"), ElementsAre(StartsWith("line 2: ")));
  EXPECT_THAT(refusals_of("a 1\nb 2\na 1\n"),
              ElementsAre("line 3: samples of a are apart", "line 3: a{} is there twice"));
  EXPECT_THAT(refusals_of("a{x=\"1\"} 1\na{x=\"1\"} 2\n"),
              ElementsAre("line 2: a{x=\"1\"} is there twice"));
  EXPECT_THAT(refusals_of("# TYPE a gauge\n# TYPE a gauge\na 1\n"),
              ElementsAre("line 2: a is described twice"));
  EXPECT_THAT(refusals_of("a 1\n# TYPE a gauge\n"),
              ElementsAre("line 2: a is described after its samples"));
  EXPECT_THAT(refusals_of("a 1"), ElementsAre("line 1: the last line has no end"));
  EXPECT_THAT(refusals_of("# HELP a \xFF\na 1\n"),
              ElementsAre(StartsWith("line 1: the page is not UTF-8")));
  EXPECT_THAT(refusals_of(""), ElementsAre("line 1: the last line has no end"));
}

TEST(MetricsPage, FamiliesOfOpenMetrics) {
  constexpr std::string_view kGood =
      "# HELP a What.\n# TYPE a counter\n# UNIT a seconds\na_total 1.0\n# TYPE b gauge\nb 1\n# "
      "EOF\n";
  EXPECT_THAT(refusals_of(kGood, true), IsEmpty());
  EXPECT_THAT(refusals_of("# TYPE a counter\na_total 1\n", true),
              ElementsAre("line 2: the page has no end"));
  EXPECT_THAT(refusals_of("a 1\n# EOF\nb 1\n", true),
              ElementsAre("line 3: something follows the end"));
}

TEST(MetricsPage, AllSeriesOfANameHaveTheirLabels) {
  const MetricsPage page("a 1\nab{x=\"1\"} 2\na{x=\"1\"} 3\na{x=\"}\"} 4\n", false);
  EXPECT_THAT(page.all("a"), ElementsAre(Pair("", 1), Pair("x=\"1\"", 3), Pair("x=\"}\"", 4)));
  for (const auto& [labels, number] : page.all("a")) EXPECT_EQ(page.value("a", labels), number);
  EXPECT_THAT(page.all("b"), IsEmpty());
}

TEST(MetricsPage, OnlySomeRefusalsAreKept) {
  std::string page;
  for (int i = 0; i < 100; ++i) page += "1x\n";
  EXPECT_EQ(refusals_of(page).size(), 20U);
}

}  // namespace
}  // namespace winperf::selftest
