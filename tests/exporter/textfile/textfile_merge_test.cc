#include "exporter/textfile/textfile_parser.h"

#include <gmock/gmock.h>

#include <string>
#include <vector>

#include "tests/exporter/textfile/textfile_pages.h"

namespace winperf {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Pair;

class TextfileMergeTest : public ::testing::Test {
 public:
  TextfileMergeTest& file(std::string_view name, const std::string& content) {
    inputs_.push_back(testing::textfile_input(std::string(name), content));
    return *this;
  }

 protected:
  TextfileResult merged() const { return merge_textfiles(inputs_); }
  std::string page() const {
    return testing::write_textfiles(PageFormat::kText, merged().families).text;
  }
  std::string only_problem() const {
    const auto problems = merged().problems;
    return problems.size() == 1 ? problems[0].first + ": " + problems[0].second : "not one";
  }

  std::vector<TextfileInput> inputs_;
};

TEST_F(TextfileMergeTest, MakesOneMetricOfThoseOfSeveralFiles) {
  file("a", "# HELP x text\n# TYPE x gauge\nx{f=\"a\"} 1\n");
  file("b", "# TYPE x gauge\nx{f=\"b\"} 2\ny 3\n");
  EXPECT_EQ(page(),
            "# HELP x text\n# TYPE x gauge\nx{f=\"a\"} 1\nx{f=\"b\"} 2\n"
            "# HELP y A metric from a text file.\n# TYPE y untyped\ny 3\n");
  const TextfileResult result = merged();
  EXPECT_THAT(result.problems, IsEmpty());
  EXPECT_THAT(result.notices, IsEmpty());
  EXPECT_EQ(result.samples, 3u);
  EXPECT_THAT(result.files, ElementsAre("a", "b"));
}

TEST_F(TextfileMergeTest, KeepsTheFirstHelpAndSaysSo) {
  file("a", "x{f=\"a\"} 1\n");
  file("b", "# HELP x second\nx{f=\"b\"} 1\n");
  file("c", "# HELP x third\n# HELP y y\ny 1\nx{f=\"c\"} 1\n");
  file("d", "# HELP x second\nx{f=\"d\"} 1\n");
  const TextfileResult result = merged();
  EXPECT_EQ(result.families.at("x").help, "second");
  EXPECT_EQ(result.families.at("x").series.size(), 4u);
  EXPECT_THAT(result.problems, IsEmpty());
  EXPECT_THAT(
      result.notices,
      ElementsAre(Pair(
          "c", "its HELP of x differs from that of an earlier file; the earlier one is kept")));
}

TEST_F(TextfileMergeTest, RefusesAFileWithAnotherType) {
  file("a", "# TYPE x gauge\nx 1\n").file("b", "x{b=\"c\"} 1\ny 1\n");
  EXPECT_EQ(only_problem(), "b: line 1: its metric x has the type untyped, but gauge in a");
  EXPECT_EQ(merged().families.count("y"), 0u) << "the whole file is refused";
  EXPECT_EQ(merged().files.size(), 1u);
  EXPECT_EQ(merged().samples, 1u);
}

TEST_F(TextfileMergeTest, RefusesAFileWithASeriesThatIsThere) {
  file("a", "x{f=\"a\"} 1\n").file("b", "x{f=\"b\"} 1\n");
  file("c", "x{f=\"c\"} 1\nx{f=\"b\"} 1\n");
  const TextfileResult result = merged();
  EXPECT_THAT(result.problems, ElementsAre(Pair("c", "line 2: x{f=\"b\"} is in b already")));
  EXPECT_EQ(result.families.at("x").series.size(), 2u);
}

TEST_F(TextfileMergeTest, RefusesAFileWithNamesOfAnothersHistogram) {
  const std::string histogram = "# TYPE x histogram\nx_count 1\nx_sum 1\n";
  file("a", histogram).file("b", "x_bucket 1\n");
  EXPECT_EQ(only_problem(), "b: line 1: its metric x_bucket shares names with x in a");
  inputs_.clear();
  file("b", "x_bucket 1\n").file("a", histogram);
  EXPECT_EQ(only_problem(), "a: line 2: its metric x shares names with x_bucket in b");
  inputs_.clear();
  file("a", "# TYPE x summary\nx_count 1\n").file("b", "x_bucket 1\n");
  EXPECT_THAT(merged().problems, IsEmpty());
}

TEST_F(TextfileMergeTest, MergesHistogramsByTheirLabels) {
  file("a", "# TYPE x histogram\nx_count{f=\"a\"} 1\n");
  file("b", "# TYPE x histogram\nx_count{f=\"b\"} 1\n");
  file("c", "# TYPE x histogram\nx_sum{f=\"b\"} 1\nx_count{f=\"b\"} 1\n");
  EXPECT_EQ(only_problem(), "c: line 2: x{f=\"b\"} is in b already");
}

TEST_F(TextfileMergeTest, LeavesWhatItMergesAsItIs) {
  file("a", "x{f=\"a\"} 1\n").file("b", "x{f=\"b\"} 1\n");
  merged();
  EXPECT_EQ(inputs_[0].parsed->families.at("x").series.size(), 1u);
  EXPECT_EQ(merged().families.at("x").series.size(), 2u);
}

TEST_F(TextfileMergeTest, HasLimits) {
  const auto content = [](std::string_view name, std::size_t count) {
    std::string text;
    for (std::size_t i = 0; i < count; ++i)
      text.append(name).append("{i=\"").append(std::to_string(i)).append("\"} 1\n");
    return text;
  };
  file("a", content("a", 100'000)).file("b", content("b", 100'000)).file("c", content("c", 50'001));
  file("d", content("d", 50'000)).file("e", "e 1\n");
  constexpr const char* kTooMany =
      "with it, all text files together would have more than 250000 values";
  EXPECT_THAT(merged().problems, ElementsAre(Pair("c", kTooMany), Pair("e", kTooMany)));
  inputs_.clear();
  std::string many;
  for (std::size_t i = 0; i < kMaxTextfileFamilies; ++i) many += "m" + std::to_string(i) + " 1\n";
  file("a", many).file("b", "m0{x=\"y\"} 1\n").file("c", "m 1\n");
  EXPECT_EQ(only_problem(),
            "c: with it, all text files together would have more than 10000 metrics");
}

}  // namespace
}  // namespace winperf
