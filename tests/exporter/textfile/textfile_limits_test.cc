// Each limit that docs/textfile.md has, exactly reached, and exceeded by one: what exceeds it is
// refused alone, and named with its limit.
#include <gmock/gmock.h>

#include <fstream>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "collectors/facts/textfile_reader.h"
#include "exporter/textfile/textfile_source.h"
#include "tests/exporter/textfile/told_files.h"

namespace winperf {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing::told_values;
using testing::ToldFiles;
using testing::ToldMachine;

std::string many(std::size_t count, const auto& line) {
  std::string text;
  for (std::size_t i = 0; i < count; ++i) text += line(std::to_string(i));
  return text;
}

// Comments of full lines, as many bytes as that, and a value.
std::string file_of(const std::string& name, std::size_t bytes) {
  std::string text = name + " 1\n";
  while (text.size() < bytes) {
    const std::size_t rest = bytes - text.size();
    const std::size_t line = rest > 2'000 ? 1'000 : rest;
    text.append("#").append(line - 2, 'x').append("\n");
  }
  return text;
}

class TextfileLimits : public ::testing::Test {
 protected:
  TextfileLimits() { machine_.write("d/other.prom", "other 1\n"); }

  FactTable read() {
    auto table = source_.read({.topic = FactTopic::kTextfile, .folders = {"d"}}, {});
    EXPECT_TRUE(table) << describe(table.error());
    return table.value_or(FactTable{});
  }
  // "accepted", or why this file alone is refused.
  std::string verdict(const std::string& content) {
    machine_.write("d/file.prom", content);
    const FactTable table = read();
    EXPECT_TRUE(table.textfiles->families.contains("other"));
    if (table.problems.empty()) return table.rows.size() == 2 ? "accepted" : "lost";
    EXPECT_EQ(table.problems.size(), 1U);
    EXPECT_EQ(table.rows.size(), 1U);
    constexpr std::string_view kFile = "d/file.prom: ";
    EXPECT_TRUE(table.problems[0].starts_with(kFile)) << table.problems[0];
    return table.problems[0].substr(kFile.size());
  }

  ToldMachine machine_;
  TextfileSource source_{std::make_unique<ToldFiles>(machine_), machine_.clocks()};
};

TEST_F(TextfileLimits, BytesOfAFile) {
  EXPECT_EQ(verdict(file_of("a", kMaxTextfileBytes)), "accepted");
  EXPECT_EQ(verdict(file_of("a", kMaxTextfileBytes + 1)),
            "it is larger than the limit of 16777216 bytes");
}

TEST_F(TextfileLimits, BytesOfAll) {
  const std::size_t last = kMaxTextfileBytes - std::string_view("other 1\n").size();
  machine_.write("d/a.prom", file_of("a", kMaxTextfileBytes));
  machine_.write("d/b.prom", file_of("b", kMaxTextfileBytes));
  EXPECT_EQ(machine_.write("d/c.prom", file_of("c", last)).content.size(), last);
  EXPECT_THAT(read().problems, IsEmpty());
  machine_.write("d/z.prom", "z 1\n");
  EXPECT_THAT(read().problems, ElementsAre("d/z.prom: with it, all text files together would be "
                                           "larger than 48 MiB"));
  machine_.files.erase("d/a.prom");
  EXPECT_EQ(read().rows.size(), 4U) << "it has a place now";
}

TEST_F(TextfileLimits, LinesOfAFile) {
  const auto line = [](const std::string&) { return "#\n"; };
  EXPECT_EQ(verdict(many(kMaxTextfileLines - 1, line) + "a 1\n"), "accepted");
  EXPECT_EQ(verdict(many(kMaxTextfileLines, line) + "a 1\n"),
            "line 500001: the file has more than 500000 lines");
}

TEST_F(TextfileLimits, BytesOfALine) {
  const auto value = [](std::size_t bytes) {
    const std::string begin = "a{b=\"";
    const std::string end = "\"} 1";
    return begin + std::string(bytes - begin.size() - end.size(), 'x') + end;
  };
  EXPECT_EQ(verdict(value(kMaxTextfileLineBytes) + "\n"), "accepted");
  EXPECT_EQ(verdict(value(kMaxTextfileLineBytes) + "\r\n"), "accepted");
  EXPECT_EQ(verdict("x 1\n" + value(kMaxTextfileLineBytes + 1) + "\n"),
            "line 2: it is longer than 65536 bytes");
}

TEST_F(TextfileLimits, ValuesOfAFile) {
  EXPECT_EQ(verdict(told_values("a", kMaxTextfileSamples)), "accepted");
  EXPECT_EQ(verdict(told_values("a", kMaxTextfileSamples + 1)),
            "line 100001: the file has more than 100000 values");
}

TEST_F(TextfileLimits, ValuesOfAll) {
  machine_.write("d/a.prom", told_values("a", kMaxTextfileSamples));
  machine_.write("d/b.prom", told_values("b", kMaxTextfileSamples));
  machine_.write("d/c.prom", told_values("c", 49'999));
  FactTable table = read();
  EXPECT_THAT(table.problems, IsEmpty());
  EXPECT_EQ(table.textfiles->samples, kMaxTextfileSamplesInAll);
  constexpr const char* kTooMany =
      "with it, all text files together would have more than 250000 values";
  machine_.write("d/z.prom", "z 1\n");
  EXPECT_THAT(read().problems, ElementsAre(std::string("d/z.prom: ") + kTooMany));
  EXPECT_THAT(read().problems, ElementsAre(std::string("d/z.prom: ") + kTooMany));
  // What has no room is read again once there is some.
  const auto before = source_.costs().files;
  machine_.write("d/c.prom", "c 1\n");
  table = read();
  if (!table.problems.empty()) table = read();
  EXPECT_EQ(table.rows.size(), 5U);
  EXPECT_EQ(source_.costs().files, before + 2);
}

TEST_F(TextfileLimits, AFileOfMoreValues_TakesTheRoomOfThoseAfterIt) {
  machine_.write("d/a.prom", told_values("a", 10));
  machine_.write("d/b.prom", told_values("b", kMaxTextfileSamples));
  machine_.write("d/c.prom", told_values("c", kMaxTextfileSamples));
  machine_.write("d/d.prom", told_values("d", 40'000));
  EXPECT_EQ(read().rows.size(), 5U);
  machine_.write("d/a.prom", told_values("a", kMaxTextfileSamples));
  const FactTable table = read();
  EXPECT_EQ(table.problems.size(), 1U);
  EXPECT_THAT(table.problems, Contains(HasSubstr("d/c.prom: with it, all")));
  EXPECT_EQ(table.textfiles->samples, 240'001U);
}

TEST_F(TextfileLimits, MetricsOfAFileAndOfAll) {
  const auto metric = [](const std::string& i) { return "m" + i + " 1\n"; };
  EXPECT_EQ(verdict(many(kMaxTextfileFamilies - 1, metric)), "accepted");
  EXPECT_EQ(verdict(many(kMaxTextfileFamilies + 1, metric)),
            "line 10001: the file has more than 10000 metrics");
  machine_.files.erase("d/file.prom");
  machine_.write("d/y.prom", many(kMaxTextfileFamilies - 1, metric));
  machine_.write("d/z.prom", "z 1\n");
  EXPECT_THAT(read().problems, ElementsAre("d/z.prom: with it, all text files together would have "
                                           "more than 10000 metrics"));
}

TEST_F(TextfileLimits, LabelsOfASeries_AndBytesOfAName) {
  const auto label = [](const std::string& i) { return "b" + i + "=\"x\","; };
  EXPECT_EQ(verdict("a{" + many(kMaxTextfileLabels, label) + "} 1\n"), "accepted");
  EXPECT_EQ(verdict("a{" + many(kMaxTextfileLabels + 1, label) + "} 1\n"),
            "line 1: more than 64 labels");
  const std::string name(kMaxTextfileNameBytes, 'x');
  EXPECT_EQ(verdict(name + " 1\n"), "accepted");
  EXPECT_EQ(verdict(name + "x 1\n"), "line 1: the name of a metric is longer than 512 bytes");
}

TEST_F(TextfileLimits, Files) {
  for (std::size_t i = 1; i < kMaxTextfiles; ++i) {
    const std::string number = std::to_string(10'000 + i);
    machine_.write("d/" + number + ".prom", "m" + number + " 1\n");
  }
  FactTable table = read();
  EXPECT_EQ(table.rows.size(), kMaxTextfiles);
  EXPECT_THAT(table.problems, IsEmpty());
  machine_.write("d/z.prom", "z 1\n");
  table = read();
  EXPECT_EQ(table.rows.size(), kMaxTextfiles);
  EXPECT_THAT(table.problems,
              ElementsAre("more than 1000 text files; d/z.prom and later ones are not read"));
}

// The page has the numbers that the tests above reach.
TEST_F(TextfileLimits, AreThoseOfThePage) {
  std::ostringstream page;
  page << std::ifstream(WINPERF_SOURCE_DIR "/docs/textfile.md").rdbuf();
  for (const char* const row :
       {"| files | 1,000; 16 MiB each; 48 MiB together |",
        "| values | 100,000 of a file, 250,000 of all |",
        "| lines | 500,000 of a file; 64 KiB each |", "| metrics | 10,000 of a file, and of all |",
        "| labels | 64 of a series |", "| names | 512 bytes |",
        "| time | 5 seconds for reading a file; 10 seconds for one part of it |"})
    EXPECT_TRUE(page.str().contains(row)) << row;
}

}  // namespace
}  // namespace winperf
