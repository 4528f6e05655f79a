// What a part of a page costs, by counts that are the same each time: how much memory is asked for,
// which grows with all that is made, copied or looked for.
#include <gtest/gtest.h>

#include <cstdlib>
#include <new>
#include <string>

#include "exporter/json/sample_document.h"
#include "exporter/text/metrics_page.h"
#include "tests/exporter/support/large_sample.h"
#include "tests/exporter/support/sample_builder.h"
#include "tests/exporter/textfile/textfile_pages.h"

namespace {

thread_local std::size_t allocations = 0;

void* counted(std::size_t bytes) {
  ++allocations;
  if (void* const memory = std::malloc(bytes != 0 ? bytes : 1)) return memory;
  throw std::bad_alloc();
}

}  // namespace

void* operator new(std::size_t bytes) { return counted(bytes); }
void* operator new[](std::size_t bytes) { return counted(bytes); }
void* operator new(std::size_t bytes, const std::nothrow_t&) noexcept {
  ++allocations;
  return std::malloc(bytes != 0 ? bytes : 1);
}
void* operator new[](std::size_t bytes, const std::nothrow_t& nothrow) noexcept {
  return operator new(bytes, nothrow);
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete[](void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete[](void* memory, std::size_t) noexcept { std::free(memory); }

namespace winperf {
namespace {

using namespace testing;  // NOLINT: builders of this room's tests

constexpr std::size_t kCountersets = 109;

struct Cost {
  double allocations = 0;
};

class PageWork : public ::testing::TestWithParam<bool> {
 protected:
  PageWork() { slot_.publish(sample_); }

  // Of a scrape of what others have asked for before.
  Cost cost(const PageFilter& filter) {
    make(filter);
    const std::size_t before = allocations;
    make(filter);
    return {static_cast<double>(allocations - before)};
  }
  void make(const PageFilter& filter) {
    (void)(GetParam() ? page_.gzipped(PageFormat::kText, filter)
                      : page_.text(PageFormat::kText, filter));
  }
  // So many countersets, spread over the sample.
  PageFilter some(std::size_t count) const {
    PageFilter filter;
    for (std::size_t i = 0; i < count; ++i)
      filter.countersets.push_back(sample_->countersets[i * kCountersets / count].name);
    return filter;
  }

  std::shared_ptr<const Sample> sample_ = large_sample(kCountersets);
  SampleSlot slot_;
  ExporterRegistry registry_{{"1.2.3", "abc", "gcc", "linux", "x86_64"}, kSampledAt, [] {
                               return ProcessFacts{.cpu_seconds = 2};
                             }};
  FactSlot facts_;
  MetricsPage page_{slot_, registry_, MappingOptions{}, [] { return kTaken; }, {.slot = &facts_}};
};

// A page without a new sample and a new series is known text, and numbers: what is said of each
// counterset costs nothing but room for it. Of a whole page, most isn't even written again.
constexpr double kFew = 100;
constexpr double kFewest = 25;

TEST_P(PageWork, OfAWholePage_DoesNotGrowByWhatIsKnown) {
  EXPECT_LT(cost({}).allocations, kFewest);
}

// Facts and other exporters' names are known text, too, but for the time.
TEST_P(PageWork, OfAWholePageWithFactsAndAllProfiles_DoesNotGrowByWhatIsKnown) {
  MappingOptions options;
  options.profiles = {MetricProfile::kWinperf, MetricProfile::kWindowsExporter,
                      MetricProfile::kWindowsExporterLegacy};
  FactTable system;
  system.add().text("name", "Windows Server 2022").number("build", 20348);
  auto read = std::make_shared<FactSnapshot>();
  read->topics.push_back({.topic = FactTopic::kOs,
                          .stale_after = std::chrono::seconds(60),
                          .table = std::make_shared<const FactTable>(std::move(system)),
                          .read_at = kTaken,
                          .attempts = 1});
  facts_.publish(std::move(read));
  MetricsPage page(slot_, registry_, options, [] { return kTaken; },
                   {.slot = &facts_, .wall_now = [] { return kSampledAt; }});
  const auto scrape = [&] { return (GetParam() ? page.gzipped() : page.text()).size(); };
  scrape();
  const std::size_t before = allocations;
  scrape();
  EXPECT_LT(static_cast<double>(allocations - before), kFewest);
  EXPECT_NE(page.text().str().find("\nwinperf_os_time_seconds "), std::string::npos);
}

TEST_P(PageWork, OfSomeCountersets_GrowsByTheirNamesAlone) {
  const Cost least = cost({.countersets = {"Absent"}});  // what is about all is on every page
  EXPECT_LT(least.allocations, kFew);
  for (const std::size_t count : {2U, 5U, 30U, 55U, 108U})
    EXPECT_LT(cost(some(count)).allocations, kFew + 2 * static_cast<double>(count)) << count;
}

TEST_P(PageWork, OfMetricsByName_GrowsByTheNamesAlone) {
  EXPECT_LT(cost({.names = {"winperf_nothing"}}).allocations, kFew);
  EXPECT_LT(cost({.names = {"winperf_exporter_counterset_series"}}).allocations, kFew);
  PageFilter many;
  for (int i = 0; i < 1000; ++i) many.names.push_back("winperf_nothing_" + std::to_string(i));
  EXPECT_LT(cost(many).allocations, kFew + 3 * 1000);
}

TEST_P(PageWork, OfAQuestionThatNamesTheSameOften_GrowsByTheNamesAlone) {
  const Cost once = cost(some(5));
  PageFilter often;
  for (int i = 0; i < 200; ++i)
    for (const std::string& name : some(5).countersets) often.countersets.push_back(name);
  EXPECT_LE(cost(often).allocations, once.allocations + 2 * 1000);
}

// What is on the whole page has to be known, because no file may have it, too.
TEST_P(PageWork, OfTextFiles_DoesNotGrowByThePage) {
  FactTable files;
  files.add().text("file", "a.prom").number("mtime", 5);
  files.textfiles = merged_textfile("a.prom", "backup_age_seconds 3\n");
  auto read = std::make_shared<FactSnapshot>();
  read->topics.push_back({.topic = FactTopic::kTextfile,
                          .stale_after = std::chrono::seconds(60),
                          .table = std::make_shared<const FactTable>(std::move(files)),
                          .read_at = kTaken,
                          .attempts = 1});
  facts_.publish(std::move(read));
  EXPECT_LT(cost({.topics = {FactTopic::kTextfile}}).allocations, kFew);
  const PageFilter named{.names = {"backup_age_seconds"}};
  EXPECT_LT(cost(named).allocations, kFew);
  EXPECT_NE(page_.text(PageFormat::kText, named).str().find("\nbackup_age_seconds 3\n"),
            std::string::npos);
}

TEST(DocumentWork, OfAQuestionThatNamesTheSameOften_GrowsByTheNamesAlone) {
  json::SampleDocument document(large_sample(kCountersets));
  const auto cost = [&](const std::vector<std::string>& names) {
    (void)document.gzipped(names, kTaken);
    const std::size_t before = allocations;
    EXPECT_EQ(document.unknown_counterset(names), std::nullopt);
    (void)document.gzipped(names, kTaken);
    return allocations - before;
  };
  const std::size_t whole = cost({});
  const std::size_t once = cost({"Object 7"});
  EXPECT_LT(once, whole / 10);
  EXPECT_LE(cost(std::vector<std::string>(1000, "Object 7")), once + 4 * 1000);
}

INSTANTIATE_TEST_SUITE_P(PlainAndCompressed, PageWork, ::testing::Bool());

}  // namespace
}  // namespace winperf
