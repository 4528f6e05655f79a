#include "collectors/sources/replay.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>

#include "collectors/base/path_text.h"
#include "collectors/base/stop.h"
#include "tests/collectors/sources/temp_dir.h"

namespace winperf {
namespace {

using ::testing::ElementsAre;
using ::testing::EndsWith;
using ::testing::HasSubstr;

std::string text_of(const Bytes& bytes) {
  std::string text;
  for (const std::byte byte : bytes) text.push_back(static_cast<char>(byte));
  return text;
}

// The blocks of the next sample, or the error's name.
std::vector<std::string> next(ReplaySource& source, std::string_view value_name) {
  const std::expected<Reply, Error> reply = source.query(value_name, {});
  if (!reply) return {std::string(name_of(reply.error().code))};
  std::vector<std::string> blocks;
  for (const Bytes& block : reply->blocks) blocks.push_back(text_of(block));
  return blocks;
}

TEST(Replay, GivesSamplesInOrderAndPartsInOrder) {
  const testing::TempDir dir;
  dir.write("sample-0001.perf", "one");
  dir.write("sample-0000-01.perf", "zero b");
  dir.write("sample-0000-00.perf", "zero a");
  dir.write("sample-0000-10.perf", "zero c");
  const auto source = ReplaySource::open(open_directory(dir.path()));
  ASSERT_TRUE(source) << source.error().text;
  EXPECT_EQ((*source)->sample_count(), 2U);
  EXPECT_THAT(next(**source, "Global"), ElementsAre("zero a", "zero b", "zero c"));
  EXPECT_THAT(next(**source, "Global"), ElementsAre("one"));
  EXPECT_THAT(next(**source, "Global"), ElementsAre("end_of_capture"));
  EXPECT_THAT(next(**source, "Global"), ElementsAre("end_of_capture"));
}

TEST(Replay, KeepsACursorForEachValueName) {
  const testing::TempDir dir;
  dir.write("sample-0000.perf", "zero");
  dir.write("sample-0001.perf", "one");
  const auto source = ReplaySource::open(open_directory(dir.path()));
  ASSERT_TRUE(source);
  EXPECT_THAT(next(**source, "2 238"), ElementsAre("zero"));
  EXPECT_THAT(next(**source, "2 238"), ElementsAre("one"));
  EXPECT_THAT(next(**source, "4"), ElementsAre("zero"));
  EXPECT_THAT(next(**source, ""), ElementsAre("zero"));
}

TEST(Replay, SaysWhichSamplesAreMissing) {
  const testing::TempDir dir;
  dir.write("sample-0002.perf", "two");
  dir.write("sample-0003.perf", "three");
  dir.write("sample-0009.perf", "nine");
  dir.write("counter-009.bin", "c");
  dir.write("notes.txt", "not ours");
  dir.write("sample-4.perf", "too few digits");
  const auto source = ReplaySource::open(open_directory(dir.path()));
  ASSERT_TRUE(source);
  EXPECT_EQ((*source)->sample_count(), 3U);
  EXPECT_EQ((*source)->describe_gaps(), path_text(dir.path()) + " lacks samples 0 to 1 and 4 to 8");
}

TEST(Replay, SaysThatOneSampleIsMissingOrOneRow) {
  const testing::TempDir dir;
  dir.write("sample-0002.perf", "two");
  EXPECT_THAT(ReplaySource::open(open_directory(dir.path())).value()->describe_gaps(),
              EndsWith(" lacks samples 0 to 1"));
  dir.write("sample-0000.perf", "zero");
  EXPECT_THAT(ReplaySource::open(open_directory(dir.path())).value()->describe_gaps(),
              EndsWith(" lacks sample 1"));
}

TEST(Replay, NamesTheFirstFiveGapsOfMany) {
  const testing::TempDir dir;
  for (const char* number : {"1", "3", "5", "7", "9"})
    dir.write(std::string("sample-000") + number + ".perf", "a sample");
  EXPECT_THAT(ReplaySource::open(open_directory(dir.path())).value()->describe_gaps(),
              EndsWith(" lacks samples 0, 2, 4, 6 and 8"));
  dir.write("sample-0011.perf", "a sample");
  EXPECT_THAT(ReplaySource::open(open_directory(dir.path())).value()->describe_gaps(),
              EndsWith(" lacks samples 0, 2, 4, 6, 8 and more"));
}

TEST(Replay, ReportsNoGapInAnUnbrokenCapture) {
  const testing::TempDir dir;
  dir.write("sample-0000.perf", "zero");
  dir.write("sample-0001-00.perf", "one");
  const auto source = ReplaySource::open(open_directory(dir.path()));
  ASSERT_TRUE(source);
  EXPECT_EQ((*source)->describe_gaps(), "");
}

TEST(Replay, MakesAnUnreadableFileAnErrorOfItsSampleAlone) {
  const testing::TempDir dir;
  dir.write("sample-0000.perf", "zero");
  dir.write("sample-0001-00.perf", "good part");
  std::filesystem::create_directory(dir.path() / "sample-0001-01.perf");
  dir.write("sample-0002.perf", "two");
  const auto source = ReplaySource::open(open_directory(dir.path()));
  ASSERT_TRUE(source);
  EXPECT_THAT(next(**source, "Global"), ElementsAre("zero"));
  EXPECT_THAT(next(**source, "Global"), ElementsAre("not_a_file"));
  EXPECT_THAT(next(**source, "Global"), ElementsAre("two"));
}

TEST(Replay, ReadsFilesWhenTheirSampleIsAskedFor) {
  const testing::TempDir dir;
  dir.write("sample-0000.perf", "old");
  dir.write("sample-0001.perf", "removed later");
  const auto source = ReplaySource::open(open_directory(dir.path()));
  ASSERT_TRUE(source);
  dir.write("sample-0000.perf", "new");
  std::filesystem::remove(dir.path() / "sample-0001.perf");
  EXPECT_THAT(next(**source, "Global"), ElementsAre("new"));
  EXPECT_THAT(next(**source, "Global"), ElementsAre("no_such_file"));
}

TEST(Replay, DoesNotMoveOnWhenStopped) {
  const testing::TempDir dir;
  dir.write("sample-0000.perf", "zero");
  const auto source = ReplaySource::open(open_directory(dir.path()));
  ASSERT_TRUE(source);
  StopSource stop;
  stop.request_stop();
  const auto reply = (*source)->query("Global", stop.token());
  ASSERT_FALSE(reply);
  EXPECT_EQ(reply.error().code, ErrorCode::kCancelled);
  EXPECT_THAT(next(**source, "Global"), ElementsAre("zero"));
}

TEST(Replay, RefusesADirectoryWithoutSamplesAndSaysWhatACaptureIs) {
  const testing::TempDir dir;
  dir.write("counter-009.bin", "c");
  const auto source = ReplaySource::open(open_directory(dir.path()));
  ASSERT_FALSE(source);
  EXPECT_EQ(source.error().code, ErrorCode::kNoSuchFile);
  EXPECT_THAT(source.error().text, HasSubstr(dir.path().filename().string()));
  EXPECT_THAT(source.error().text, HasSubstr("sample-NNNN.perf"));
}

TEST(Replay, RefusesADirectoryThatIsNotThere) {
  const testing::TempDir dir;
  const auto source = ReplaySource::open(open_directory(dir.path() / "missing"));
  ASSERT_FALSE(source);
  EXPECT_EQ(source.error().code, ErrorCode::kNoSuchFile);
  EXPECT_THAT(source.error().text, HasSubstr("missing"));
}

TEST(Replay, RefusesAFileInPlaceOfADirectory) {
  const testing::TempDir dir;
  dir.write("file", "x");
  const auto source = ReplaySource::open(open_directory(dir.path() / "file"));
  ASSERT_FALSE(source);
  EXPECT_THAT(source.error().text, HasSubstr("file"));
}

TEST(Replay, GivesTheNameTables) {
  const testing::TempDir dir;
  dir.write("sample-0000.perf", "zero");
  dir.write("counter-009.bin", "names");
  const auto source = ReplaySource::open(open_directory(dir.path()));
  ASSERT_TRUE(source);
  const auto counter = (*source)->text_tables(TextTable::kCounter, Language::kEnglish);
  ASSERT_EQ(counter.size(), 1U);
  ASSERT_TRUE(counter[0]);
  EXPECT_EQ(text_of(*counter[0]), "names");

  const auto help = (*source)->text_tables(TextTable::kHelp, Language::kEnglish);
  ASSERT_EQ(help.size(), 1U);
  ASSERT_FALSE(help[0]);
  EXPECT_EQ(help[0].error().code, ErrorCode::kNoSuchFile);

  const auto machine = (*source)->text_tables(TextTable::kCounter, Language::kMachine);
  ASSERT_EQ(machine.size(), 1U);
  ASSERT_FALSE(machine[0]);
  EXPECT_EQ(machine[0].error().code, ErrorCode::kUnsupported);
}

TEST(Replay, NeverChangesItsProviders) {
  const testing::TempDir dir;
  dir.write("sample-0000.perf", "zero");
  const auto source = ReplaySource::open(open_directory(dir.path()));
  ASSERT_TRUE(source);
  EXPECT_FALSE((*source)->supports_metadata());
  const std::uint64_t generation = (*source)->provider_generation();
  (*source)->release();
  EXPECT_EQ((*source)->provider_generation(), generation);
}

std::filesystem::path recorded_captures() {
  if (const char* directory = std::getenv("WINPERF_CAPTURES")) return directory;
  return std::filesystem::path(WINPERF_SOURCE_DIR) / ".." / "shared" / "captures";
}

TEST(Replay, GivesEverySampleOfARecordedCapture) {
  const std::filesystem::path directory = recorded_captures() / "vista-6000";
  if (!std::filesystem::is_directory(directory))
    GTEST_SKIP() << "NO RECORDED CAPTURE at " << directory << ": set WINPERF_CAPTURES";
  const auto source = ReplaySource::open(open_directory(directory));
  ASSERT_TRUE(source) << source.error().text;
  EXPECT_EQ((*source)->sample_count(), 11U);
  EXPECT_EQ((*source)->describe_gaps(), "");
  for (int sample = 0; sample < 11; ++sample) {
    const auto reply = (*source)->query("Global", {});
    ASSERT_TRUE(reply) << sample << ": " << describe(reply.error());
    ASSERT_EQ(reply->blocks.size(), 8U) << sample;
    for (const Bytes& block : reply->blocks)
      EXPECT_EQ(text_of(block).substr(0, 8), std::string("P\0E\0R\0F\0", 8)) << sample;
  }
  EXPECT_THAT(next(**source, "Global"), ElementsAre("end_of_capture"));
  const auto tables = (*source)->text_tables(TextTable::kCounter, Language::kEnglish);
  ASSERT_TRUE(tables.at(0));
  EXPECT_EQ(tables[0]->size(), 104024U);
}

}  // namespace
}  // namespace winperf
