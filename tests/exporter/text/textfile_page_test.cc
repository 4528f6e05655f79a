#include "exporter/text/textfile_part.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>

#include "tests/exporter/support/gunzip.h"
#include "tests/exporter/textfile/textfile_pages.h"
#include "tests/exporter/textfile/told_files.h"

namespace winperf {
namespace {

using testing::merged_textfile;
using testing::told_values;

std::string text_of(const KeptPieces& pieces) {
  std::string text;
  for (const auto& piece : pieces) text += *piece->text();
  return text;
}

PageNames taken(const std::string& name) {
  PageNames names;
  names.add("# TYPE " + name + " gauge\n" + name + " 5\n");
  return names;
}

TEST(TextfilePart, WritesEachFormatOnce) {
  TextfilePart part;
  const auto files = merged_textfile("a.prom", "one 1\ntwo_total 2\n");
  const auto first = part.metrics(files, PageFormat::kText, {}, {});
  EXPECT_EQ(text_of(first.pieces),
            testing::write_textfiles(PageFormat::kText, files->families).text);
  const auto other = part.metrics(files, PageFormat::kOpenMetrics, {}, {});
  for (int scrapes = 0; scrapes < 3; ++scrapes) {
    EXPECT_EQ(part.metrics(files, PageFormat::kText, {}, {}).pieces, first.pieces);
    EXPECT_EQ(part.metrics(files, PageFormat::kOpenMetrics, {}, {}).pieces, other.pieces);
    part.metrics(files, PageFormat::kText, PageSelection({.names = {"one"}}, nullptr), {});
  }
}

TEST(TextfilePart, WritesAgainWhatOtherFilesOrNamesChange) {
  TextfilePart part;
  const auto files = merged_textfile("a.prom", "one 1\ntwo 2\n");
  const auto first = part.metrics(files, PageFormat::kText, {}, {});
  EXPECT_EQ(part.metrics(files, PageFormat::kText, {}, taken("three")).pieces, first.pieces)
      << "a name that no file has";
  const auto cut = part.metrics(files, PageFormat::kText, {}, taken("two"));
  EXPECT_NE(cut.pieces, first.pieces);
  EXPECT_EQ(cut.left_out, 1U);
  EXPECT_EQ(text_of(cut.pieces).find("two"), std::string::npos);
  const auto others = merged_textfile("a.prom", "one 1\ntwo 2\n");
  EXPECT_NE(part.metrics(others, PageFormat::kText, {}, taken("two")).pieces, cut.pieces);
}

TEST(TextfilePage, ALargeMetric_IsSharedByThePartsThatHaveIt) {
  const auto files = merged_textfile(
      "a.prom", told_values("big", 10'000) + "small 1\n" + told_values("vast", 10'000) + "z 1\n");
  const TextfilePage page(files, PageFormat::kText, [](std::string_view) { return false; });
  EXPECT_EQ(text_of(page.whole().pieces),
            testing::write_textfiles(PageFormat::kText, files->families).text);
  const auto cut = page.cut([](std::string_view name) { return name == "vast" || name == "z"; });
  ASSERT_EQ(cut.pieces.size(), 2U);
  EXPECT_EQ(cut.pieces[0], page.whole().pieces[2]);
  EXPECT_EQ(&cut.pieces[0]->compressed(), &page.whole().pieces[2]->compressed());
  EXPECT_TRUE(cut.pieces[1]->text()->ends_with("\nz 1\n"));
  EXPECT_EQ(page.cut([](std::string_view) { return false; }).pieces.size(), 0U);
}

TEST(TextfilePage, ItsCompressedPiecesAreItsText) {
  const auto files = merged_textfile("a.prom", told_values("a", 20'000) + "b 1\n");
  const TextfilePage page(files, PageFormat::kOpenMetrics, [](std::string_view) { return false; });
  GzipFile file;
  for (const auto& piece : page.whole().pieces) file.add(piece->compressed());
  EXPECT_EQ(testing::gunzipped(std::move(file).finish().str()), text_of(page.whole().pieces));
}

}  // namespace
}  // namespace winperf
