// Text files that are slow, hang or cost a worker: they are named, and no other file is lost.
#include <gmock/gmock.h>

#include <string>
#include <vector>

#include "exporter/textfile/textfile_source.h"
#include "tests/exporter/textfile/told_files.h"

namespace winperf {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using testing::kHung;
using ::testing::Not;
using testing::ToldFile;
using testing::ToldFiles;
using testing::ToldMachine;

constexpr const char* kGrows = "; it is retried after increasing pauses";

class SlowTextfiles : public ::testing::Test {
 protected:
  FactTable read() {
    auto table = source_.read({.topic = FactTopic::kTextfile, .folders = {"d"}}, {});
    EXPECT_TRUE(table) << describe(table.error());
    machine_.pass(seconds(15));
    return table.value_or(FactTable{});
  }
  static std::vector<std::string> files(const FactTable& table) {
    std::vector<std::string> names;
    for (const FactRow& row : table.rows) names.push_back(row.text_of("file"));
    return names;
  }

  ToldMachine machine_;
  TextfileSource source_{std::make_unique<ToldFiles>(machine_), machine_.clocks()};
};

TEST_F(SlowTextfiles, AFileThatBreaksItsTime_IsNamed_AndTheOthersStay) {
  machine_.write("d/a.prom", "a 1\n");
  machine_.write("d/slow.prom", testing::told_values("s", 100'000)).part_takes = seconds(6);
  machine_.write("d/z.prom", "z 1\n");
  const FactTable table = read();
  EXPECT_THAT(files(table), ElementsAre("d/a.prom", "d/z.prom"));
  EXPECT_THAT(table.problems, ElementsAre("d/slow.prom: reading it took longer than 5 seconds"));
}

TEST_F(SlowTextfiles, ASlowFileWithinItsTime_IsRead) {
  machine_.write("d/slow.prom", testing::told_values("s", 100'000)).part_takes = seconds(2);
  const FactTable table = read();
  EXPECT_EQ(table.textfiles->samples, 100'000U);
  EXPECT_THAT(table.problems, IsEmpty());
}

TEST_F(SlowTextfiles, WhatAFileSaid_OutlivesOneLoss_ButNotTwo) {
  ToldFile& file = machine_.write("d/a.prom", "a 1\n");
  read();
  file.fails = kHung;
  FactTable table = read();
  EXPECT_THAT(files(table), ElementsAre("d/a.prom"));
  EXPECT_THAT(table.problems, ElementsAre("d/a.prom: reading it took longer than 10 seconds"));
  table = read();
  EXPECT_THAT(files(table), IsEmpty());
  EXPECT_THAT(table.problems, ElementsAre(std::string("d/a.prom: reading it took longer than 10 "
                                                      "seconds") +
                                          kGrows));
  file.fails.reset();
  for (int readings = 0; readings < 4; ++readings) table = read();
  EXPECT_THAT(files(table), ElementsAre("d/a.prom"));
  EXPECT_THAT(table.problems, IsEmpty());
  EXPECT_EQ(source_.costs().parts, 1U) << "it is the same file";
}

TEST_F(SlowTextfiles, AFileThatHangs_IsTriedLessAndLess) {
  machine_.write("d/hangs.prom", "a 1\n").fails = kHung;
  std::vector<int> tried;
  for (int readings = 0; readings < 60; ++readings) {
    machine_.take_asked();
    read();
    if (!machine_.asked.empty()) tried.push_back(readings);
  }
  EXPECT_THAT(tried, ElementsAre(0, 1, 5, 13, 29)) << "in steps of 15 seconds";
}

TEST_F(SlowTextfiles, AFileThatCostsTheWorker_IsNamed) {
  machine_.write("d/a.prom", "a 1\n").fails =
      Error{.code = ErrorCode::kWorkerCrashed, .where = "facts.read_file", .os_code = 0xC0000005};
  machine_.write("d/b.prom", "b 1\n");
  const FactTable table = read();
  EXPECT_THAT(files(table), ElementsAre("d/b.prom"));
  ASSERT_EQ(table.problems.size(), 1U);
  EXPECT_THAT(table.problems[0], ::testing::StartsWith("d/a.prom: it cannot be read: "));
}

TEST_F(SlowTextfiles, WhatIsNotReached_ComesFirstTheNextTime) {
  for (const char name : std::string("abcdef")) {
    ToldFile& file =
        machine_.write(std::string("d/") + name + ".prom", std::string(1, name) + " 1\n");
    file.look_takes = seconds(4);
  }
  FactTable table = read();
  EXPECT_THAT(files(table), ElementsAre("d/a.prom", "d/b.prom"));
  EXPECT_THAT(table.problems,
              Contains("d/c.prom: it has not been read yet because earlier files took too long"));
  read();
  table = read();
  EXPECT_EQ(files(table).size(), 6U) << "what is known stays";
  EXPECT_THAT(table.problems, IsEmpty());
}

// All other facts wait for it.
TEST_F(SlowTextfiles, LookingAndReadingShareTheTime) {
  for (const char name : std::string("abcdef")) {
    ToldFile& file = machine_.write(std::string("d/") + name + ".prom", "a 1\n");
    file.look_takes = file.part_takes = seconds(4);
  }
  const SteadyTime before = machine_.steady;
  read();
  EXPECT_LE(machine_.steady - before - seconds(15), kTextfileReadingTime + seconds(4));
}

TEST_F(SlowTextfiles, AProcessThatHasToStart_CostsNoFileItsTime) {
  machine_.write("d/a.prom", testing::told_values("s", 100'000)).part_takes = seconds(1);
  machine_.start_takes = seconds(20);
  EXPECT_THAT(files(read()), ElementsAre("d/a.prom"));
}

TEST_F(SlowTextfiles, AFileFromTheFuture_IsReadOnce) {
  machine_.write("d/a.prom", "a 1\n", -std::chrono::hours(2));
  for (int readings = 0; readings < 3; ++readings) read();
  EXPECT_EQ(source_.costs().parts, 1U);
}

TEST_F(SlowTextfiles, ReadingMuch_TakesSeveralReadings_AndLosesNothing) {
  for (int i = 0; i < 8; ++i) {
    machine_.write("d/" + std::to_string(i) + ".prom", "m" + std::to_string(i) + " 1\n")
        .part_takes = seconds(4);
  }
  std::vector<std::size_t> counts;
  for (int readings = 0; readings < 3; ++readings) counts.push_back(read().rows.size());
  EXPECT_THAT(counts, ElementsAre(3U, 6U, 8U));
  EXPECT_EQ(source_.costs().parts, 8U);
}

TEST_F(SlowTextfiles, WhatWasSlow_ComesLast) {
  ToldFile& slow = machine_.write("d/a.prom", testing::told_values("s", 100'000));
  slow.part_takes = seconds(6);
  machine_.write("d/b.prom", "b 1\n");
  read();
  machine_.write("d/b.prom", "b 2\n");
  machine_.take_asked();
  read();
  EXPECT_THAT(machine_.take_asked(),
              ElementsAre("look d/b.prom", "look d/a.prom", "read d/b.prom 0", "read d/a.prom 0"));
}

TEST_F(SlowTextfiles, WhatIsSmall_ComesFirst) {
  machine_.write("d/a.prom", testing::told_values("a", 10));
  machine_.write("d/b.prom", "b 1\n");
  read();
  EXPECT_THAT(machine_.take_asked(),
              ElementsAre("look d/a.prom", "look d/b.prom", "read d/b.prom 0", "read d/a.prom 0"));
}

TEST_F(SlowTextfiles, ParsingCountsForNoFile) {
  // The clock goes on only while a file is asked for.
  machine_.write("d/a.prom", testing::told_values("a", 100'000)).part_takes = milliseconds(1);
  EXPECT_THAT(read().problems, IsEmpty());
}

}  // namespace
}  // namespace winperf
