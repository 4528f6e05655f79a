#include "exporter/textfile/textfile_parser.h"

#include <gmock/gmock.h>

#include <string>

#include "tests/exporter/textfile/accepted_files.h"
#include "tests/exporter/textfile/parse_textfile.h"
#include "tests/exporter/textfile/refused_files.h"

namespace winperf {
namespace {

std::string sentence(const std::string& content) {
  const auto parsed = parse_textfile(content);
  return parsed ? "accepted" : parsed.error();
}

std::string numbered(std::size_t count, const auto& line) {
  std::string text;
  for (std::size_t i = 0; i < count; ++i) text += line(std::to_string(i));
  return text;
}

TEST(TextfileParser, RefusesWhatIsWrongWithItsLine) {
  for (const testing::RefusedFile& file : testing::refused_files())
    EXPECT_EQ(sentence(file.content), file.sentence) << file.content;
}

TEST(TextfileParser, AcceptsWhatTheReferenceDoes) {
  for (const testing::AcceptedFile& file : testing::accepted_files())
    EXPECT_EQ(sentence(file.content), "accepted") << file.content;
}

TEST(TextfileParser, AllowsWindowsLineEndsAndBlanksBeforeThem) {
  const auto parsed =
      parse_textfile("# TYPE a gauge \r\na 1 \r\n\r\nb{c=\"d\"} 2\t\r\r\n# HELP a x \r\n");
  ASSERT_TRUE(parsed) << parsed.error();
  EXPECT_EQ(parsed->samples, 2u);
  EXPECT_EQ(parsed->families.at("a").type, TextfileType::kGauge);
  EXPECT_EQ(parsed->families.at("a").help, "x ");
  EXPECT_EQ(parsed->families.at("b").series.at("c=\"d\"").value, 2);
}

TEST(TextfileParser, ShowsNoMoreOfAFileThanIsNeeded) {
  EXPECT_EQ(sentence("a " + std::string(100, 'x') + "\n"),
            "line 1: invalid number: \"" + std::string(40, 'x') + "...\"");
  EXPECT_EQ(sentence("a \x1B[2J\n"), "line 1: invalid number: \"\\u001b[2J\"");
  EXPECT_EQ(sentence("a " + std::string(39, 'x') + "\u00fc\n"),
            "line 1: invalid number: \"" + std::string(39, 'x') + "...\"");
  const std::string series = "a{b=\"" + std::string(1000, 'x') + "\"} 1\n";
  EXPECT_LT(sentence(series + series).size(), 250u);
}

TEST(TextfileParser, HasLimits) {
  EXPECT_EQ(sentence("#" + std::string(kMaxTextfileLineBytes - 1, 'x') + "\r\n"), "accepted");
  EXPECT_EQ(sentence("#" + std::string(kMaxTextfileLineBytes, 'x') + "\n"),
            "line 1: it is longer than 65536 bytes");
  const std::string name(kMaxTextfileNameBytes, 'x');
  EXPECT_EQ(sentence(name + "{" + name + "=\"\"} 1\n"), "accepted");
  EXPECT_EQ(sentence(name + "x 1\n"), "line 1: the name of a metric is longer than 512 bytes");
  EXPECT_EQ(sentence("a{" + name + "x=\"\"} 1\n"),
            "line 1: the name of a label is longer than 512 bytes");
  const auto label = [](const std::string& i) { return "b" + i + "=\"x\","; };
  EXPECT_EQ(sentence("a{" + numbered(kMaxTextfileLabels, label) + "} 1\n"), "accepted");
  EXPECT_EQ(sentence("a{" + numbered(kMaxTextfileLabels + 1, label) + "} 1\n"),
            "line 1: more than 64 labels");
  const auto sample = [](const std::string& i) { return "a{b=\"" + i + "\"} 1\n"; };
  EXPECT_EQ(sentence(numbered(kMaxTextfileSamples, sample)), "accepted");
  EXPECT_EQ(sentence(numbered(kMaxTextfileSamples + 1, sample)),
            "line 100001: the file has more than 100000 values");
  const auto family = [](const std::string& i) { return "# HELP a" + i + " x\n"; };
  EXPECT_EQ(sentence(numbered(kMaxTextfileFamilies, family)), "accepted");
  EXPECT_EQ(sentence(numbered(kMaxTextfileFamilies + 1, family)),
            "line 10001: the file has more than 10000 metrics");
  EXPECT_EQ(sentence(numbered(kMaxTextfileFamilies, family) + "b 1\n"),
            "line 10001: the file has more than 10000 metrics");
  EXPECT_EQ(sentence(numbered(kMaxTextfileFamilies, family) + "a0 1\n"), "accepted");
}

}  // namespace
}  // namespace winperf
