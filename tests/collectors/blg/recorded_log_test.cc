// A log that a real Windows wrote gives the blocks that were taken from it by other means.
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>

#include "collectors/blg/log_layout.h"
#include "collectors/blg/log_reader.h"
#include "collectors/blg/log_source.h"
#include "collectors/sources/replay.h"
#include "collectors/wire/block_view.h"
#include "tests/support/captures.h"

namespace winperf::blg {
namespace {

class RecordedLog : public testing::CaptureTest {
 protected:
  void SetUp() override {
    CaptureTest::SetUp();
    if (IsSkipped()) return;
    log_ = captures_ / "blg" / "vista-6000.blg";
    if (!std::filesystem::exists(log_)) GTEST_SKIP() << "NO RECORDED LOG at " << log_;
  }

  std::unique_ptr<BlgSource> open_log() const {
    auto machines = BlgSource::open(log_);
    EXPECT_TRUE(machines) << machines.error().text;
    EXPECT_EQ(machines->size(), 1U);
    EXPECT_EQ(machines->front()->machine(), "") << "one machine needs no name";
    return std::move(machines->front());
  }

  std::filesystem::path log_;
};

TEST_F(RecordedLog, GivesTheBlocksOfTheCaptureMadeOfIt) {
  const auto log = open_log();
  const auto capture = ReplaySource::open(open_directory(captures_ / "vista-6000"));
  ASSERT_TRUE(capture) << capture.error().text;
  EXPECT_EQ(log->sample_count(), 11U);
  for (int sample = 0; sample < 11; ++sample) {
    const auto from_log = log->query("Global", {});
    const auto from_capture = (*capture)->query("Global", {});
    ASSERT_TRUE(from_log && from_capture) << sample;
    EXPECT_EQ(from_log->blocks.size(), 8U) << sample;
    EXPECT_TRUE(from_log->blocks == from_capture->blocks) << sample;
  }
  const auto end = log->query("Global", {});
  ASSERT_FALSE(end);
  EXPECT_EQ(end.error().code, ErrorCode::kEndOfCapture);
}

// The log's own times are local; those of its blocks are UTC.
TEST_F(RecordedLog, TurnsItsTimesIntoUtcByTheTimeZoneOfItsTraceHeader) {
  const auto log = open_log();
  EXPECT_TRUE(log->summary().utc_known);
  for (int sample = 0; sample < 11; ++sample) {
    const auto reply = log->query("Global", {});
    ASSERT_TRUE(reply && reply->time);
    const auto block = BlockView::parse(reply->blocks.at(0));
    ASSERT_TRUE(block);
    const std::int64_t apart = reply->time->ticks - block->clocks().time_100ns.ticks;
    EXPECT_LT(std::abs(apart), 1'000'000) << "0.1 s, sample " << sample;
  }
}

TEST_F(RecordedLog, GivesTheNameTableOfTheMachine) {
  const auto log = open_log();
  const auto tables = log->text_tables(TextTable::kCounter, Language::kEnglish);
  ASSERT_TRUE(tables.at(0));
  EXPECT_TRUE(*tables[0] == testing::read_file(captures_ / "vista-6000" / "counter-009.bin"));
}

TEST_F(RecordedLog, IsReadToTheLastByteWithoutAProblem) {
  const auto log = open_log();
  const LogSummary& summary = log->summary();
  EXPECT_EQ(summary.damaged, 0U) << describe_losses(summary);
  EXPECT_EQ(describe(summary),
            "11 samples of 8 counters (such as \\\\HOST-01\\LogicalDisk(*)\\*): 88 whole objects");
  EXPECT_FALSE(summary.is_incomplete());
  EXPECT_EQ(summary.foreign_events, 1U);
}

TEST_F(RecordedLog, ListsWhatWasAskedFor) {
  std::ifstream file(log_, std::ios::binary);
  auto reader = LogReader::open(file);
  ASSERT_TRUE(reader);
  std::vector<std::string> paths;
  while (const auto read = reader->next()) {
    ASSERT_TRUE(read->record) << describe(read->record.error());
    if (*read->type != 32) continue;
    const auto list = read_counter_list(read->record->bytes());
    EXPECT_TRUE(list.problems.empty());
    for (const auto& counter : list.counters) paths.push_back(path_of(counter.value()));
  }
  const std::vector<std::string> expected{
      "\\\\HOST-01\\LogicalDisk(*)\\*",  "\\\\HOST-01\\TCPv4(*)\\*",
      "\\\\HOST-01\\Memory\\*",          "\\\\HOST-01\\Network Interface(*)\\*",
      "\\\\HOST-01\\PhysicalDisk(*)\\*", "\\\\HOST-01\\Process(*)\\*",
      "\\\\HOST-01\\Processor(*)\\*",    "\\\\HOST-01\\System\\*"};
  EXPECT_EQ(paths, expected);
}

}  // namespace
}  // namespace winperf::blg
