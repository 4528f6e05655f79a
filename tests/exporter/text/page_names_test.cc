#include "exporter/text/textfile_part.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "exporter/text/metrics_page.h"
#include "tests/exporter/support/sample_builder.h"
#include "tests/exporter/textfile/textfile_pages.h"

namespace winperf {
namespace {

using namespace testing;  // NOLINT: builders of this room's tests

TEST(PageNames, AreThoseOfSeriesAndOfFamiliesInEitherFormat) {
  PageNames text;
  text.add("# HELP a_total x\n# TYPE a_total counter\na_total{b=\"c\"} 1\n# TYPE g gauge\ng 2\n");
  PageNames open_metrics;
  open_metrics.add("# TYPE a counter\na_total{b=\"c\"} 1\n# TYPE g gauge\ng 2\n# EOF\n");
  for (const PageNames* const names : {&text, &open_metrics}) {
    for (const char* const name : {"a", "a_total", "a_created", "g"})
      EXPECT_TRUE(names->has(name)) << name;
    for (const char* const name : {"b", "g_total", "g_created", "x", "EOF", ""})
      EXPECT_FALSE(names->has(name)) << name;
    EXPECT_TRUE(names->has("winperf_exporter_facts_success"));
  }
}

// What a file of another program has beside the sample, in each format and part of the page.
class TextfilesOnThePage : public ::testing::Test {
 protected:
  std::string page(const std::string& content, PageFormat format, const PageFilter& filter = {}) {
    FactTable files{.textfiles = merged_textfile("a.prom", content)};
    files.add().text("file", "a.prom").number("mtime", 5);
    FactTable os;
    os.add().text("product", "Windows");
    auto facts = std::make_shared<FactSnapshot>();
    for (auto& [topic, table] : {std::pair(FactTopic::kOs, os), {FactTopic::kTextfile, files}})
      facts->topics.push_back(
          {.topic = topic,
           .stale_after = std::chrono::seconds(topic == FactTopic::kOs ? 5 : 60),
           .table = std::make_shared<const FactTable>(table),
           .read_at = kTaken,
           .attempts = 1});
    facts_.publish(std::move(facts));
    slot_.publish(sample_);
    return page_.text(format, filter).str();
  }

  static std::size_t count(const std::string& text, const std::string& part) {
    std::size_t found = 0;
    for (std::size_t at = text.find(part); at != text.npos; at = text.find(part, at + 1)) ++found;
    return found;
  }

  const std::shared_ptr<Sample> sample_ = typical_sample(1);
  SteadyTime now_ = kTaken;
  SampleSlot slot_;
  FactSlot facts_;
  ExporterRegistry registry_{{"1.2.3", "abc", "gcc", "linux", "x86_64"}, kSampledAt};
  MetricsPage page_{slot_, registry_, MappingOptions{}, [this] { return now_; }, {.slot = &facts_}};
};

constexpr PageFormat kFormats[]{PageFormat::kText, PageFormat::kOpenMetrics};

TEST_F(TextfilesOnThePage, AFamilyOfACounterOfThePage_IsLeftOutAndCounted) {
  for (const PageFormat format : kFormats)
    for (const char* const content :
         {"winperf_cpu_interrupts 3\n", "winperf_cpu_interrupts_total 3\n",
          "winperf_cpu_interrupts_created 3\n", "winperf_os_info{product=\"fake\"} 3\n",
          "winperf_exporter_facts_success 3\n", "winperf_textfile_error 3\n"}) {
      const std::string text = page(content, format);
      EXPECT_EQ(count(text, "\n" + std::string(content)), 0U) << text;
      EXPECT_EQ(count(text, "winperf_exporter_facts_left_out{topic=\"textfile\"} 1\n"), 1U)
          << content;
    }
}

TEST_F(TextfilesOnThePage, TheBaseNameOfACounter_IsNoFamilyThatThePageHas) {
  const std::string text =
      page("# TYPE winperf_textfile_error_total counter\nwinperf_textfile_error_total 2\n",
           PageFormat::kOpenMetrics);
  EXPECT_EQ(count(text, "# TYPE winperf_textfile_error "), 1U);
  EXPECT_EQ(count(text, "# TYPE winperf_textfile_error_total unknown\n"), 1U);
}

TEST_F(TextfilesOnThePage, APart_HasNoNameThatTheWholePageHas) {
  const char* const kFake = "winperf_os_info{product=\"fake\"} 3\n";
  for (const PageFormat format : kFormats) {
    EXPECT_EQ(count(page(kFake, format, {.topics = {FactTopic::kTextfile}}), kFake), 0U);
    EXPECT_EQ(count(page(kFake, format, {.names = {"winperf_os_info"}}), kFake), 0U);
  }
}

// The names are looked for once, as long as what they depend on stays the same.
TEST_F(TextfilesOnThePage, HaveANameOnceThePageHasItNoMore) {
  const char* const kFake = "winperf_os_info{product=\"fake\"} 3\n";
  const char* const kOther = "winperf_os_info_2 3\n";
  const PageFilter filter{.topics = {FactTopic::kTextfile}};
  for (const PageFormat format : kFormats) {
    now_ = kTaken;
    EXPECT_EQ(count(page(kFake, format, filter), kFake), 0U);
    now_ += std::chrono::seconds(6);
    EXPECT_EQ(count(page_.text(format, filter).str(), kFake), 1U) << "the topic os is too old";
    now_ = kTaken;
    EXPECT_EQ(count(page_.text(format, filter).str(), kFake), 0U);
    EXPECT_EQ(count(page(kOther, format, filter), kOther), 1U) << "another reading";
  }
}

TEST_F(TextfilesOnThePage, AreFoundByAnyNameOfTheirLines_WithTheirType) {
  const char* const kHistogram =
      "# TYPE h histogram\nh_bucket{le=\"1\"} 1\nh_bucket{le=\"+Inf\"} 1\nh_sum 1\nh_count 1\n";
  for (const PageFormat format : kFormats)
    for (const char* const name : {"h", "h_bucket", "h_count", "h_sum"})
      EXPECT_EQ(count(page(kHistogram, format, {.names = {name}}), "\nh_"), 4U) << name;
  const std::string counter =
      page("# TYPE c_total counter\nc_total 1\n", PageFormat::kOpenMetrics, {.names = {"c_total"}});
  EXPECT_EQ(count(counter, "# TYPE c counter\n"), 1U) << counter;
}

}  // namespace
}  // namespace winperf
