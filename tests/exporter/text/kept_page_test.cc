#include "exporter/text/kept_page.h"

#include <gmock/gmock.h>

#include <set>
#include <thread>
#include <utility>
#include <vector>

#include "exporter/text/sample_writer.h"
#include "tests/exporter/support/gunzip.h"
#include "tests/exporter/support/large_sample.h"
#include "tests/exporter/support/sample_builder.h"
#include "tests/support/thorough.h"

namespace winperf {
namespace {

using namespace testing;  // NOLINT: builders of this room's tests
using ::testing::ElementsAre;
using ::testing::HasSubstr;

struct Kept {
  explicit Kept(std::shared_ptr<const Sample> sample, PageFormat format = PageFormat::kText)
      : index(std::move(sample)), page(make(format)) {}

  std::unique_ptr<KeptPage> make(PageFormat format) const {
    std::string text;
    SampleWriter writer(MappingOptions{});
    writer.append(text, index.sample(), format);
    return std::make_unique<KeptPage>(std::move(text), writer.take_parts());
  }
  SharedText cut(const PageFilter& filter) const { return page->text({filter, &index}); }
  SharedText compressed(const PageFilter& filter) const {
    GzipFile file;
    page->append_to(file, {filter, &index});
    return std::move(file).finish();
  }

  CountersetIndex index;
  std::unique_ptr<KeptPage> page;
};

std::string file_of(const DeflatedPart& part) {
  GzipFile file;
  file.add(part);
  return std::move(file).finish().str();
}

// The same text, compressed and not.
std::string cut(const std::shared_ptr<const Sample>& sample, const PageFilter& filter,
                PageFormat format = PageFormat::kText) {
  const Kept kept(sample, format);
  std::string text = kept.cut(filter).str();
  EXPECT_EQ(gunzipped(kept.compressed(filter).str()), text);
  return text;
}

// As if the other countersets weren't there.
std::string written_without(const Sample& sample, std::vector<bool> left_out,
                            PageFormat format = PageFormat::kText) {
  std::string page;
  SampleWriter(MappingOptions{}).append(page, sample, format, left_out);
  return page;
}

TEST(KeptPage, OfEverything_IsTheWholeText) {
  for (const PageFormat format : {PageFormat::kText, PageFormat::kOpenMetrics})
    for (const auto& published : {typical_sample(1), large_sample(40)}) {
      EXPECT_EQ(cut(published, {}, format), written_without(*published, {}, format));
      Kept kept(published, format);
      EXPECT_EQ(kept.page->text().str(), written_without(*published, {}, format));
      EXPECT_EQ(gunzipped(file_of(kept.page->compressed())), kept.page->text().str());
    }
}

TEST(KeptPage, IsTheSameWhetherItIsCompressedBeforeItIsCutOrAfterwards) {
  const auto published = large_sample(40);
  const std::string whole = written_without(*published, {});
  Kept first(published);
  EXPECT_EQ(gunzipped(file_of(first.page->compressed())), whole);
  EXPECT_EQ(first.page->text().str(), whole);
  Kept cut_first(published);
  EXPECT_EQ(cut_first.page->text().str(), whole);
  EXPECT_EQ(gunzipped(file_of(cut_first.page->compressed())), whole);
}

TEST(KeptPage, IsCutAndCompressedByThreadsAtOnceInAnyOrder) {
  const auto published = large_sample(40);
  const std::string whole = written_without(*published, {});
  for (std::size_t turn = 0; turn < testing::tried(5, 20); ++turn) {
    Kept kept(published);
    std::vector<std::jthread> clients;
    for (int i = 0; i < 2; ++i) {
      clients.emplace_back([&] { EXPECT_EQ(gunzipped(file_of(kept.page->compressed())), whole); });
      clients.emplace_back([&] { EXPECT_EQ(kept.page->text().str(), whole); });
      clients.emplace_back([&] { EXPECT_EQ(kept.cut({}).str(), whole); });
    }
  }
}

TEST(KeptPage, OfNothing_IsEmpty) {
  KeptPage page("", {});
  EXPECT_EQ(page.text().size(), 0U);
  EXPECT_EQ(page.text(PageSelection()).size(), 0U);
  EXPECT_EQ(page.compressed().size, 0U);
}

TEST(KeptPage, EndsAsItIsToldWhateverIsSelected) {
  const CountersetIndex index(typical_sample(1));
  std::string text;
  SampleWriter writer(MappingOptions{});
  writer.append(text, index.sample());
  KeptPage page(text, writer.take_parts(), "# EOF\n");
  EXPECT_EQ(page.text().str(), text + "# EOF\n");
  EXPECT_EQ(gunzipped(file_of(page.compressed())), text + "# EOF\n");
  for (const PageFilter& filter :
       {PageFilter{.countersets = {"Memory"}}, PageFilter{.countersets = {"Absent"}}}) {
    const std::string part = page.text({filter, &index}).str();
    EXPECT_THAT(part, ::testing::EndsWith("# EOF\n"));
    GzipFile file;
    page.append_to(file, {filter, &index});
    EXPECT_EQ(gunzipped(std::move(file).finish().str()), part);
  }
}

TEST(KeptPage, OfACounterset_IsAsIfTheOthersWerentThere) {
  for (const PageFormat format : {PageFormat::kText, PageFormat::kOpenMetrics}) {
    EXPECT_EQ(cut(typical_sample(1), {.countersets = {"Memory"}}, format),
              written_without(*typical_sample(1), {true, false}, format));
    EXPECT_EQ(cut(typical_sample(1), {.countersets = {"Processor"}}, format),
              written_without(*typical_sample(1), {false, true}, format));
  }
  EXPECT_EQ(cut(typical_sample(1), {.countersets = {"Absent"}}), "");
}

TEST(KeptPage, OfAFamilyThatCountersetsShare_HasItsCommentsOnce) {
  const auto tcp = [](const char* name) {
    return state(name, values(object(name, {counter("Segments Sent/sec", kBulkCount)})));
  };
  const auto both = sample(1, {tcp("TCPv4"), tcp("TCPv6"), tcp("Other")});
  EXPECT_EQ(cut(both, {.countersets = {"TCPv4", "TCPv6"}}),
            written_without(*both, {false, false, true}));
  EXPECT_EQ(cut(both, {.countersets = {"TCPv6"}}), written_without(*both, {true, false, true}));
}

TEST(KeptPage, OfNames_HasTheseMetricsAlone) {
  const PageFilter filter{.names = {"winperf_memory_available_bytes", "winperf_nothing",
                                    "winperf_cpu_interrupts_total"}};
  const std::string page = cut(typical_sample(1), filter);
  std::vector<std::string> types;
  for (auto at = page.find("# TYPE "); at != std::string::npos; at = page.find("# TYPE ", at + 1))
    types.push_back(page.substr(at + 7, page.find('\n', at) - at - 7));
  EXPECT_THAT(types, ElementsAre("winperf_cpu_interrupts_total counter",
                                 "winperf_memory_available_bytes gauge"));
  EXPECT_THAT(page, HasSubstr("\nwinperf_cpu_interrupts_total{core=\"1\"} 9007199254740993\n"));
  EXPECT_EQ(cut(typical_sample(1),
                {.countersets = {"Processor"}, .names = {"winperf_memory_available_bytes"}}),
            "");
}

std::set<const std::string*> pieces(const SharedText& text) {
  std::set<const std::string*> found;
  for (const SharedText::Piece& piece : text.pieces()) found.insert(piece.get());
  return found;
}

// Bytes of `text` that are not in memory for `others` already.
std::size_t copied(const SharedText& text, const std::set<const std::string*>& others) {
  std::size_t bytes = 0;
  for (const SharedText::Piece& piece : text.pieces())
    if (!others.contains(piece.get())) bytes += piece->size();
  return bytes;
}

PageFilter every_second(const Sample& sample) {
  PageFilter filter;
  for (std::size_t i = 1; i < sample.countersets.size(); i += 2)
    filter.countersets.push_back(sample.countersets[i].name);
  return filter;
}

TEST(KeptPage, OfSomeCountersets_SharesTheBytesOfTheWhole) {
  const Kept kept(large_sample(100));
  const SharedText some = kept.cut(every_second(kept.index.sample()));
  EXPECT_GT(some.size(), kept.page->text().size() / 3);
  EXPECT_LT(copied(some, pieces(kept.page->text())), some.size() / 5);
}

// Whatever clients ask for: a text is compressed as a whole, by countersets and by families.
TEST(KeptPage, IsCompressedThreeTimesHoweverManyPartsAreAskedFor) {
  const Kept kept(large_sample(40));
  const auto& countersets = kept.index.sample().countersets;
  const std::size_t bytes = kept.page->text().size();
  for (std::size_t i = 0; i < 300; ++i) {
    PageFilter filter;
    for (std::size_t j = 0; j < countersets.size(); ++j)
      if ((i * 7 + j * j) % 5 < 2) filter.countersets.push_back(countersets[j].name);
    kept.compressed(filter);
  }
  EXPECT_LE(kept.page->compression().text_bytes, bytes);
  EXPECT_GT(kept.page->compression().text_bytes, bytes / 2);
  kept.page->compressed();
  std::vector<std::string> names;
  kept.page->for_each_family(
      [&](std::string_view, std::string_view name) { names.emplace_back(name); });
  for (std::size_t i = 0; i < 300; ++i) {
    PageFilter filter;
    for (std::size_t j = i % 3; j < names.size(); j += 3) filter.names.push_back(names[j]);
    kept.compressed(filter);
  }
  EXPECT_LE(kept.page->compression().text_bytes, 3 * bytes);
  EXPECT_LE(kept.page->compression().kept_bytes, bytes) << "in memory, beside the text";
}

}  // namespace
}  // namespace winperf
