#include "exporter/text/metrics_page.h"

#include <gmock/gmock.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <thread>

#include "tests/exporter/support/gunzip.h"
#include "tests/exporter/support/sample_builder.h"
#include "tests/support/sample_arrays.h"

namespace winperf {
namespace {

using namespace testing;  // NOLINT: builders of this room's tests
using ::testing::HasSubstr;
using ::testing::Not;

class MetricsPageTest : public ::testing::Test {
 protected:
  SampleSlot slot_;
  SteadyTime now_ = kTaken + std::chrono::milliseconds(1500);
  ExporterRegistry registry_{{"1.2.3", "abc", "gcc", "linux", "x86_64"}, kSampledAt, [] {
                               return ProcessFacts{.cpu_seconds = 2};
                             }};
  MetricsPage page_{slot_, registry_, MappingOptions{}, [this] { return now_; }};
};

TEST_F(MetricsPageTest, BeforeTheFirstSample_HasOwnMetricsAlone) {
  const std::string text = page_.text().str();
  EXPECT_THAT(text, HasSubstr("winperf_exporter_build_info{arch=\"x86_64\",compiler=\"gcc\",os="
                              "\"linux\",revision=\"abc\",version=\"1.2.3\"} 1\n"));
  EXPECT_THAT(text, HasSubstr("winperf_exporter_renderings_total 0\n"));
  EXPECT_THAT(text, Not(HasSubstr("counterset=")));
}

TEST_F(MetricsPageTest, OfSeveralMachines_HasTheStateOfEach) {
  auto sample = typical_sample(1);
  sample->countersets.push_back(sample->countersets[0]);
  sample->countersets[0].machine = "ONE";
  sample->countersets.back().machine = "TWO";
  sample->countersets.back().success = false;
  slot_.publish(std::move(sample));
  const std::string text = page_.text().str();
  for (const char* line :
       {"counterset_success{counterset=\"Processor\",machine=\"ONE\"} 1",
        "counterset_success{counterset=\"Processor\",machine=\"TWO\"} 0",
        "counterset_success{counterset=\"Memory\"} 1",
        "counterset_path_info{counterset=\"Processor\",machine=\"TWO\",path=\"registry\"} 1"})
    EXPECT_THAT(text, HasSubstr("\nwinperf_exporter_" + std::string(line) + '\n'));
}

TEST_F(MetricsPageTest, OfASample_HasValuesAndTheStateOfItsCountersets) {
  slot_.publish(typical_sample(1));
  const std::string text = page_.text().str();
  EXPECT_THAT(text, HasSubstr("\nwinperf_cpu_interrupts_total{core=\"0\"} 7\n"));
  for (const char* line : {"counterset_success{counterset=\"Processor\"} 1",
                           "counterset_duration_seconds{counterset=\"Memory\"} 0.25",
                           "counterset_sample_age_seconds{counterset=\"Memory\"} 1.5",
                           "counterset_stale{counterset=\"Memory\"} 0",
                           "counterset_sample_bytes{counterset=\"Memory\"} 4096",
                           "counterset_attempts_total{counterset=\"Memory\"} 3",
                           "counterset_failures_total{counterset=\"Memory\"} 1",
                           "counterset_series{counterset=\"Processor\"} 8",
                           "problems_total{counterset=\"Processor\",reason=\"truncated\"} 2",
                           "values_missing{counterset=\"Memory\",reason=\"first_sample\"} 1",
                           "skipped_samples_total{counterset=\"Processor\"} 0"}) {
    EXPECT_THAT(text, HasSubstr(std::string("\nwinperf_exporter_") + line + "\n"));
  }
}

TEST_F(MetricsPageTest, OwnMetrics_AreCountersIfTheyAreTotalsAndGaugesIfNot) {
  slot_.publish(typical_sample(1));
  std::istringstream lines(page_.text().str());
  int seen = 0;
  for (std::string line; std::getline(lines, line);) {
    if (!line.starts_with("# TYPE winperf_exporter_") && !line.starts_with("# TYPE process_"))
      continue;
    ++seen;
    const std::string name = line.substr(7, line.rfind(' ') - 7);
    const std::string type = line.substr(line.rfind(' ') + 1);
    EXPECT_EQ(type, name.ends_with("_total") ? "counter" : "gauge") << name;
  }
  EXPECT_GT(seen, 20);
}

TEST_F(MetricsPageTest, OfAStaleCounterset_HasItsStateAlone) {
  auto sample = typical_sample(1);
  sample->countersets[1].stale_after = std::chrono::seconds(30);
  slot_.publish(sample);
  now_ = kTaken + std::chrono::seconds(10);
  for (const PageFormat format : {PageFormat::kText, PageFormat::kOpenMetrics})
    EXPECT_THAT(page_.text(format).str(), HasSubstr("\nwinperf_cpu_interrupts_total{core="));
  now_ += std::chrono::milliseconds(1);
  for (const PageFormat format : {PageFormat::kText, PageFormat::kOpenMetrics}) {
    const std::string text = page_.text(format).str();
    EXPECT_EQ(gunzipped(page_.gzipped(format).str()), text);
    EXPECT_THAT(text, Not(HasSubstr("winperf_cpu_")));
    EXPECT_THAT(text, HasSubstr("\nwinperf_memory_page_faults_total 12\n"));
    for (const char* line : {"counterset_stale{counterset=\"Processor\"} 1",
                             "counterset_stale{counterset=\"Memory\"} 0",
                             "counterset_series{counterset=\"Processor\"} 0",
                             "counterset_sample_age_seconds{counterset=\"Processor\"} 10.001",
                             "counterset_success{counterset=\"Processor\"} 1"})
      EXPECT_THAT(text, HasSubstr("\nwinperf_exporter_" + std::string(line) + '\n'));
  }
  auto next = std::make_shared<Sample>(*sample);
  next->sequence = 2;
  next->countersets[0].sampled_at.steady = now_;
  slot_.publish(next);
  EXPECT_THAT(page_.text().str(), HasSubstr("\nwinperf_cpu_interrupts_total{core="));
}

TEST_F(MetricsPageTest, AbandonedPatterns_AreCounted) {
  registry_.count_abandoned_match("Process");
  registry_.count_abandoned_match("Process");
  EXPECT_THAT(page_.text().str(),
              HasSubstr("winperf_exporter_abandoned_matches_total{counterset=\"Process\"} 2\n"));
}

TEST_F(MetricsPageTest, OfTheSameSample_IsRenderedOnce) {
  slot_.publish(typical_sample(1));
  page_.text();
  page_.gzipped();
  EXPECT_THAT(page_.text().str(), HasSubstr("winperf_exporter_renderings_total 1\n"));
  slot_.publish(typical_sample(2));
  EXPECT_THAT(page_.text().str(), HasSubstr("winperf_exporter_renderings_total 2\n"));
}

TEST_F(MetricsPageTest, InAnotherFormat_IsRenderedOnceMore) {
  slot_.publish(typical_sample(1));
  const auto renderings = [this](PageFormat format) {
    const std::string text = page_.text(format).str();
    const std::string name = "\nwinperf_exporter_renderings_total ";
    return text.substr(text.find(name) + name.size(), 1);
  };
  EXPECT_EQ(renderings(PageFormat::kOpenMetrics), "1");
  EXPECT_EQ(renderings(PageFormat::kText), "2");
  page_.gzipped(PageFormat::kOpenMetrics);
  EXPECT_EQ(renderings(PageFormat::kOpenMetrics), "2");
}

// But for the comments, and the end.
TEST_F(MetricsPageTest, HasTheSameSeriesInBothFormats) {
  slot_.publish(typical_sample(1));
  const auto series = [](const std::string& page) {
    std::vector<std::string> lines;
    std::istringstream text(page);
    for (std::string line; std::getline(text, line);)
      if (!line.starts_with('#') && !line.starts_with("winperf_exporter_renderings"))
        lines.push_back(line);
    return lines;
  };
  const std::string open_metrics = page_.text(PageFormat::kOpenMetrics).str();
  const std::string text = page_.text().str();
  EXPECT_EQ(series(open_metrics), series(text));
  EXPECT_GT(series(text).size(), 20U);
  EXPECT_TRUE(open_metrics.ends_with("\n# EOF\n"));
  EXPECT_THAT(text, Not(HasSubstr("# EOF")));
  EXPECT_THAT(text, Not(HasSubstr("# UNIT")));
  EXPECT_EQ(gunzipped(page_.gzipped(PageFormat::kOpenMetrics).str()),
            page_.text(PageFormat::kOpenMetrics).str());
}

TEST_F(MetricsPageTest, IsWholeHoweverManyAskForItInBothFormats) {
  constexpr int kPages = 50;
  slot_.publish(std::make_shared<Sample>());  // without countersets
  const auto ask = [this](PageFormat format, const std::string& end) {
    for (int i = 0; i < kPages; ++i) EXPECT_TRUE(page_.text(format).str().ends_with(end));
  };
  {
    const std::jthread text(ask, PageFormat::kText, "\n");
    const std::jthread open_metrics(ask, PageFormat::kOpenMetrics, "\n# EOF\n");
    for (int i = 1; i <= kPages; ++i) slot_.publish(typical_sample(static_cast<std::uint64_t>(i)));
  }
  EXPECT_THAT(page_.text().str(), HasSubstr("winperf_memory_page_faults_total"));
}

TEST_F(MetricsPageTest, BeforeTheFirstSample_HasAnEndInOpenMetrics) {
  EXPECT_TRUE(page_.text(PageFormat::kOpenMetrics).str().ends_with("\n# EOF\n"));
}

TEST_F(MetricsPageTest, WithoutANewSample_StillAges) {
  slot_.publish(typical_sample(1));
  page_.text();
  now_ = kTaken + std::chrono::seconds(10);
  EXPECT_THAT(page_.text().str(), HasSubstr("sample_age_seconds{counterset=\"Memory\"} 10\n"));
}

// What is kept follows what it is of: facts, their age, and the sample.
TEST_F(MetricsPageTest, WithFacts_HasThoseOfTheScrape) {
  FactSlot facts;
  MetricsPage page{slot_, registry_, MappingOptions{}, [this] { return now_; }, {.slot = &facts}};
  const auto publish = [&](double cores) {
    FactTable table;
    table.add().text("core", "0").number("logical_processors", cores);
    auto snapshot = std::make_shared<FactSnapshot>();
    snapshot->topics.push_back({.topic = FactTopic::kOs,
                                .stale_after = std::chrono::seconds(60),
                                .table = std::make_shared<const FactTable>(std::move(table)),
                                .read_at = now_,
                                .attempts = 1});
    facts.publish(std::move(snapshot));
  };
  const auto text_of = [&](PageFormat format) {
    const std::string text = page.text(format).str();
    EXPECT_EQ(gunzipped(page.gzipped(format).str()), text);
    return text;
  };
  for (const PageFormat format : {PageFormat::kText, PageFormat::kOpenMetrics}) {
    const SteadyTime before = now_;
    publish(8);
    slot_.publish(typical_sample(1));
    const std::string first = text_of(format);
    EXPECT_THAT(first, HasSubstr("facts_rows{topic=\"os\"} 1\n"));
    now_ += std::chrono::seconds(5);
    EXPECT_THAT(text_of(format), HasSubstr("facts_age_seconds{topic=\"os\"} 5\n"));
    publish(16);
    EXPECT_NE(text_of(format), first);
    now_ += std::chrono::seconds(61);
    const std::string stale = text_of(format);
    EXPECT_THAT(stale, HasSubstr("facts_age_seconds{topic=\"os\"} 61\n"));
    auto failed = typical_sample(2);
    failed->countersets[0].success = false;
    slot_.publish(failed);
    EXPECT_THAT(text_of(format), HasSubstr("counterset_success{counterset=\"Processor\"} 0\n"));
    now_ = before;
  }
}

TEST_F(MetricsPageTest, Compressed_IsTheSamePage) {
  slot_.publish(typical_sample(1));
  const std::string text = page_.text().str();
  EXPECT_EQ(gunzipped(page_.gzipped().str()), text);
}

TEST_F(MetricsPageTest, SatisfiesPromtool) {
  if (std::system("promtool --version > promtool_version.txt 2>&1") != 0) {
    std::filesystem::remove("promtool_version.txt");
    GTEST_SKIP() << "promtool is not installed: the page was not checked by it";
  }
  auto everything = typical_sample(1);
  std::vector<CounterSchema> counters;
  std::uint32_t index = 0;
  for (const std::uint32_t type : metric_types()) {
    counters.push_back(counter("% Some Disk Bytes/Read", type, index += 2));
    counters.push_back(counter("Free Megabytes \"B\" (ms)", type, index += 2));
    counters.push_back(counter("Handle Count", type, index += 2));
  }
  CountersetSample all = values(object("Odd: Summary\\Object\n", counters, true),
                                {instance("C:\\ \"x\"\n", 0), instance("\xFF", 1)});
  for (auto& base : bases(all)) base = 1;
  everything->countersets.push_back(state("Odd \"name\"\\", all));
  slot_.publish(everything);
  {
    std::ofstream("promtool_page.txt", std::ios::binary) << page_.text().str();
  }
  const int code =
      std::system("promtool check metrics < promtool_page.txt > promtool_output.txt 2>&1");
  std::ifstream output("promtool_output.txt");
  EXPECT_EQ(code, 0) << output.rdbuf();
  for (const char* file : {"promtool_version.txt", "promtool_page.txt", "promtool_output.txt"}) {
    std::filesystem::remove(file);
  }
}

}  // namespace
}  // namespace winperf
