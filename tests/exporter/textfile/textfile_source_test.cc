// Which text files are read, how often, and what they cost, counted.
#include "exporter/textfile/textfile_source.h"

#include <gmock/gmock.h>

#include <string>
#include <vector>

#include "tests/exporter/textfile/told_files.h"

namespace winperf {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing::kHung;
using testing::ToldFile;
using testing::ToldFiles;
using testing::ToldMachine;

class TextfileSourceTest : public ::testing::Test {
 protected:
  FactTable read(const StopToken& stop = {}) {
    auto table = source_.read(request_, stop);
    EXPECT_TRUE(table) << describe(table.error());
    machine_.pass(seconds(15));
    return table.value_or(FactTable{});
  }
  static std::vector<std::string> files(const FactTable& table) {
    std::vector<std::string> names;
    for (const FactRow& row : table.rows) names.push_back(row.text_of("file"));
    return names;
  }
  static std::size_t values(const FactTable& table) { return table.textfiles->samples; }

  ToldMachine machine_;
  FactRequest request_{.topic = FactTopic::kTextfile, .folders = {"d"}};
  TextfileSource source_{std::make_unique<ToldFiles>(machine_), machine_.clocks()};
};

TEST_F(TextfileSourceTest, AFileThatIsKnown_IsNotReadAgain) {
  machine_.write("d/a.prom", "a 1\n");
  machine_.write("d/b.prom", "b 1\nb2 2\n");
  const FactTable first = read();
  EXPECT_THAT(files(first), ElementsAre("d/a.prom", "d/b.prom"));
  EXPECT_EQ(values(first), 3U);
  EXPECT_EQ(std::get<double>(*first.rows[0].find("mtime")), 1'700'000'000 - 3600);
  const TextfileCosts before = source_.costs();
  EXPECT_EQ(before.bytes, 13U);
  EXPECT_EQ(before.values, 3U);
  const FactTable second = read();
  EXPECT_EQ(second.textfiles, first.textfiles) << "nothing is merged again";
  EXPECT_EQ(source_.costs().parts, before.parts);
  EXPECT_EQ(source_.costs().bytes, before.bytes);
  EXPECT_EQ(source_.costs().values, before.values);
  EXPECT_EQ(source_.costs().checks, 4U);
}

TEST_F(TextfileSourceTest, AFileHasItsPathAndItsNameAlone) {
  request_.folders = {"d", "d/sub"};
  machine_.write("d/sub/b.prom", "b 1\n");
  machine_.write("d/a.prom", "a 1\n");
  const FactTable table = read();
  std::vector<std::string> names;
  for (const FactRow& row : table.rows) names.push_back(row.text_of("name"));
  EXPECT_THAT(files(table), ElementsAre("d/a.prom", "d/sub/b.prom"));
  EXPECT_THAT(names, ElementsAre("a.prom", "b.prom"));
}

TEST_F(TextfileSourceTest, OnlyTheFileThatChanged_IsReadAgain) {
  machine_.write("d/a.prom", "a 1\n");
  machine_.write("d/b.prom", "b 1\n");
  read();
  machine_.write("d/b.prom", "b 2\n");
  machine_.take_asked();
  const FactTable table = read();
  EXPECT_THAT(machine_.take_asked(),
              ElementsAre("look d/a.prom", "look d/b.prom", "read d/b.prom 0"));
  EXPECT_EQ(table.textfiles->families.at("b").series.at("").value, 2);
}

TEST_F(TextfileSourceTest, AFileInItsPlace_OfTheSameSizeAndTime_IsAnother) {
  machine_.write("d/a.prom", "a 1\n");
  read();
  machine_.write("d/a.prom", "a 2\n").stamp.state.modified -= seconds(15);
  EXPECT_EQ(read().textfiles->families.at("a").series.at("").value, 2);
}

TEST_F(TextfileSourceTest, AFileThatWasJustWritten_IsReadOnceMore) {
  ToldFile& file = machine_.write("d/a.prom", "a 1\n", seconds(1));
  const auto first = read().textfiles;
  // In the same instant, as far as the file system tells.
  EXPECT_EQ(read().textfiles, first) << "the same content is what it was";
  EXPECT_EQ(source_.costs().parts, 2U);
  EXPECT_EQ(source_.costs().merges, 2U) << "of nothing, and of the file";
  read();
  EXPECT_EQ(source_.costs().parts, 2U);
  file.content = "a 3\n";
  EXPECT_EQ(read().textfiles, first) << "a content that the file system doesn't tell of";
}

TEST_F(TextfileSourceTest, AFileThatIsGone_EndsItsValues) {
  machine_.write("d/a.prom", "a 1\n");
  machine_.write("d/b.prom", "b 1\n");
  read();
  machine_.files.erase("d/a.prom");
  const FactTable table = read();
  EXPECT_THAT(files(table), ElementsAre("d/b.prom"));
  EXPECT_THAT(table.problems, IsEmpty());
  EXPECT_FALSE(table.textfiles->families.contains("a"));
}

TEST_F(TextfileSourceTest, AFileThatGoesWhileItIsRead_IsGone) {
  machine_.write("d/a.prom", "a 1\n");
  machine_.on_read = [&] {
    if (machine_.asked.back().starts_with("read")) machine_.files.clear();
  };
  const FactTable table = read();
  EXPECT_THAT(table.rows, IsEmpty());
  EXPECT_THAT(table.problems, IsEmpty());
}

TEST_F(TextfileSourceTest, AMistake_CostsItsFileAlone_AndIsNotReadAgain) {
  machine_.write("d/a.prom", "a 1\n");
  machine_.write("d/b.prom", "b 1\nb one\n");
  machine_.write("d/c.prom", "c 1\na 2\n");
  machine_.files["d/pipe.prom"].problem = "it is not a regular file";
  for (int readings = 0; readings < 2; ++readings) {
    const FactTable table = read();
    EXPECT_THAT(files(table), ElementsAre("d/a.prom"));
    EXPECT_THAT(table.problems, ElementsAre("d/b.prom: line 2: invalid number: \"one\"",
                                            "d/c.prom: line 2: a is in d/a.prom already",
                                            "d/pipe.prom: it is not a regular file"));
  }
  EXPECT_EQ(source_.costs().files, 3U);
  machine_.write("d/a.prom", "z 1\n");
  EXPECT_THAT(files(read()), ElementsAre("d/a.prom", "d/c.prom")) << "what clashed is known";
  EXPECT_EQ(source_.costs().files, 4U);
}

TEST_F(TextfileSourceTest, AFileThatChangesWhileItIsRead_IsReadAgain) {
  int changes = 0;
  machine_.write("d/a.prom", "a 1\n").on_part = [&](ToldFile& file, std::uint64_t) {
    if (++changes > 2) return;
    file.content = "a 100" + std::to_string(changes) + "\n";
    file.stamp.state.bytes = file.content.size();
    file.stamp.state.modified += seconds(changes);
  };
  EXPECT_EQ(read().textfiles->families.at("a").series.at("").value, 1002);
  EXPECT_EQ(source_.costs().parts, 3U);
  changes = -10;
  machine_.write("d/a.prom", "a 5\n");
  machine_.files["d/a.prom"].on_part = [&](ToldFile& file, std::uint64_t) {
    file.stamp.state.modified += seconds(1);
  };
  machine_.write("d/b.prom", "b 1\n");
  const FactTable table = read();
  EXPECT_THAT(files(table), ElementsAre("d/b.prom"));
  EXPECT_THAT(
      table.problems,
      ElementsAre(
          "d/a.prom: it changed while it was read; write it under another name and rename it"));
}

TEST_F(TextfileSourceTest, ALargeFile_ComesInParts) {
  const std::string content = testing::told_values("a", 100'000);
  machine_.write("d/a.prom", content);
  EXPECT_EQ(values(read()), 100'000U);
  EXPECT_EQ(source_.costs().parts, content.size() / kMaxFilePart + 1);
  EXPECT_EQ(source_.costs().bytes, content.size());
}

TEST_F(TextfileSourceTest, WhatBreaksABound_IsNotReadToItsEnd) {
  machine_.write("d/long.prom", "a{b=\"" + std::string(kMaxTextfileBytes - 20, '\\') + "\"} 1\n");
  const FactTable table = read();
  EXPECT_THAT(table.problems, ElementsAre("d/long.prom: line 1: it is longer than 65536 bytes"));
  EXPECT_EQ(source_.costs().bytes, kMaxFilePart);
}

TEST_F(TextfileSourceTest, AnotherSource_KnowsWhatTheOneBeforeHasRead) {
  machine_.write("d/a.prom", "a 1\n");
  const auto first = read().textfiles;
  source_.replace(std::make_unique<ToldFiles>(machine_));
  EXPECT_EQ(read().textfiles, first);
  EXPECT_EQ(source_.costs().parts, 1U);
}

TEST_F(TextfileSourceTest, FoldersAreListedOneByOne) {
  request_.folders = {"d", "bad", "e", "d"};
  machine_.bad_folders["bad"] = kHung;
  machine_.write("d/a.prom", "a 1\n");
  machine_.write("e/a.prom", "e 1\n");
  const FactTable table = read();
  EXPECT_THAT(files(table), ElementsAre("d/a.prom", "e/a.prom"));
  EXPECT_THAT(table.problems,
              ElementsAre("the folder bad: reading it took longer than 10 seconds"));
}

TEST_F(TextfileSourceTest, AFolderThatCannotBeListed_KeepsItsFilesForAMinute) {
  machine_.write("d/a.prom", "a 1\n");
  read();
  machine_.bad_folders["d"] = kHung;
  machine_.take_asked();
  for (int readings = 0; readings < 4; ++readings)
    EXPECT_THAT(files(read()), ElementsAre("d/a.prom")) << readings;
  EXPECT_THAT(machine_.take_asked(), IsEmpty()) << "its files would only take as long";
  EXPECT_THAT(files(read()), IsEmpty());
  machine_.bad_folders.clear();
  EXPECT_THAT(files(read()), ElementsAre("d/a.prom"));
}

TEST_F(TextfileSourceTest, AWorkerThatCannotStart_IsTheTopicsError) {
  machine_.write("d/a.prom", "a 1\n").fails = Error{.code = ErrorCode::kWorkerStart};
  EXPECT_EQ(source_.read(request_, {}).error().code, ErrorCode::kWorkerStart);
  machine_.bad_folders["d"] = {.code = ErrorCode::kUnsupported};
  EXPECT_EQ(source_.read(request_, {}).error().code, ErrorCode::kUnsupported);
}

TEST_F(TextfileSourceTest, AFilterDecidesBeforeAnythingIsRead) {
  machine_.write("d/a.prom", "a 1\n");
  machine_.write("d/b.prom", "b 1\n");
  request_.rows.exclude = {*Pattern::compile(".*a.prom")};
  EXPECT_THAT(files(read()), ElementsAre("d/b.prom"));
  EXPECT_THAT(machine_.take_asked(), ElementsAre("look d/b.prom", "read d/b.prom 0"));
}

TEST_F(TextfileSourceTest, OtherTopics_AreTheOtherSources) {
  ASSERT_TRUE(source_.read({.topic = FactTopic::kOs}, {}));
  EXPECT_THAT(machine_.take_asked(), ElementsAre("os"));
}

TEST_F(TextfileSourceTest, AStop_EndsTheReadingBetweenTwoParts_AndWhileParsing) {
  StopSource stop;
  machine_.write("d/a.prom", testing::told_values("a", 100'000));
  machine_.write("d/b.prom", "b 1\n");
  machine_.files["d/a.prom"].on_part = [&](ToldFile&, std::uint64_t) { stop.request_stop(); };
  const auto table = source_.read(request_, stop.token());
  ASSERT_FALSE(table);
  EXPECT_EQ(table.error().code, ErrorCode::kCancelled);
  EXPECT_THAT(machine_.take_asked(),
              ElementsAre("look d/a.prom", "look d/b.prom", "read d/b.prom 0", "read d/a.prom 0"));
  EXPECT_EQ(source_.costs().values, 1U) << "nothing of the part that came";
}

}  // namespace
}  // namespace winperf
