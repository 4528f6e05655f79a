// Buffers, events and parts, each with one thing wrong: the error says where, and what is sound
// around it is still read.
#include "collectors/blg/log_reader.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>

#include "tests/support/blg_builder.h"

namespace winperf::blg {
namespace {

using testing::BlgBuilder;
using testing::BuiltLog;
using testing::ByteVector;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using testing::PartSpec;

ByteVector bytes_of(const std::string& text) {
  const auto* const first = reinterpret_cast<const std::byte*>(text.data());
  return {first, first + text.size()};
}

PartSpec part(std::uint32_t number, std::uint32_t parts, const std::string& piece,
              std::uint64_t time = 1) {
  return {.time = time, .part = number, .parts = parts, .piece = bytes_of(piece)};
}

// Each record as its text, each error as "type?place code at offset: actual/limit".
std::vector<std::string> read_all(LogReader& reader) {
  std::vector<std::string> all;
  while (const auto read = reader.next()) {
    if (read->record) {
      const auto& bytes = read->record->bytes();
      all.emplace_back(reinterpret_cast<const char*>(bytes.data()), bytes.size());
      continue;
    }
    const Error& error = read->record.error();
    all.push_back(std::string(read->type ? "record " : "") + error.where + ' ' +
                  std::string(name_of(error.code)) + " at " + std::to_string(error.offset) + ": " +
                  std::to_string(error.actual) + '/' + std::to_string(error.limit));
  }
  return all;
}

std::vector<std::string> read_all(const BuiltLog& log) {
  std::istringstream stream(log.text());
  auto reader = LogReader::open(stream);
  if (!reader) return {"not a log: " + std::string(name_of(reader.error().code))};
  return read_all(*reader);
}

BuiltLog three_records() {
  return BlgBuilder()
      .part(part(1, 1, "first"))
      .new_buffer()
      .part(part(1, 1, "second"))
      .new_buffer()
      .part(part(1, 1, "third"))
      .build();
}

TEST(LogReader, JoinsPartsInOrderAcrossEventsAndBuffers) {
  BlgBuilder log;
  log.system_event().new_buffer();
  log.part(part(1, 3, "a")).system_event().part(part(2, 3, "b")).new_buffer();
  log.part(part(3, 3, "c")).part(part(1, 1, "d"));
  EXPECT_THAT(read_all(log.build()), ElementsAre("abc", "d"));
}

TEST(LogReader, TellsTypeTimeAndPlace) {
  BlgBuilder log;
  log.system_event().new_buffer();
  log.part({.type = 32, .time = 77, .part = 1, .parts = 1, .piece = bytes_of("x")});
  const BuiltLog built = log.build();
  std::istringstream stream(built.text());
  auto reader = LogReader::open(stream);
  ASSERT_TRUE(reader);
  const auto read = reader->next();
  ASSERT_TRUE(read && read->record);
  EXPECT_EQ(read->type, 32);
  EXPECT_EQ(read->record->time(), 77U);
  EXPECT_EQ(read->record->place().buffer, 1024U);
  EXPECT_EQ(read->record->place().event, built.events[0]);
  EXPECT_FALSE(reader->next());
  EXPECT_EQ(reader->foreign_events(), 1U);
}

TEST(LogReader, GoesBackToAPlace) {
  const BuiltLog log = three_records();
  std::istringstream stream(log.text());
  auto reader = LogReader::open(stream);
  ASSERT_TRUE(reader);
  std::vector<Place> places;
  while (const auto read = reader->next()) places.push_back(read->record->place());
  ASSERT_EQ(places.size(), 3U);
  for (const std::size_t i : {1U, 0U, 2U}) {
    reader->seek(places[i]);
    const auto again = reader->next();
    ASSERT_TRUE(again && again->record) << i;
    EXPECT_EQ(again->record->place().event, places[i].event);
  }
}

TEST(LogReader, TurnsOffsetsInARecordIntoThoseOfTheFile) {
  const BuiltLog log =
      BlgBuilder().part(part(1, 2, "abc")).new_buffer().part(part(2, 2, "def")).build();
  std::istringstream stream(log.text());
  auto reader = LogReader::open(stream);
  ASSERT_TRUE(reader);
  const auto read = reader->next();
  ASSERT_TRUE(read && read->record);
  EXPECT_EQ(read->record->in_file({.offset = 2}).offset, log.events[0] + 72 + 2);
  EXPECT_EQ(read->record->in_file({.offset = 3}).offset, log.events[1] + 72);
  EXPECT_EQ(read->record->in_file({.offset = 5}).offset, log.events[1] + 72 + 2);
}

TEST(LogReader, PassesOverTheSystemsEventsOfAllKinds) {
  const BuiltLog log = BlgBuilder().system_event().part(part(1, 1, "behind it")).build();
  const std::size_t kind = 72 + 2;
  const std::vector<std::uint8_t> all{0x01, 0x02, 0x03, 0x04, 0x10, 0x11};
  for (const std::uint8_t known : all)
    EXPECT_THAT(read_all(log.with_byte(kind, known)), ElementsAre("behind it")) << int{known};
  EXPECT_THAT(read_all(log.with_byte(kind, 0x05)), ::testing::Not(ElementsAre("behind it")));
}

TEST(LogReader, CostsARecordItsMissingPart) {
  const BuiltLog log = BlgBuilder()
                           .part(part(1, 3, "a", 1))
                           .part(part(2, 3, "b", 1))
                           .part(part(1, 1, "whole", 2))
                           .part(part(1, 2, "c", 3))
                           .build();
  EXPECT_THAT(read_all(log),
              ElementsAre("record log.record.missing_parts bad_count at 72: 3/2", "whole",
                          "record log.record.missing_parts bad_count at " +
                              std::to_string(log.events[3]) + ": 2/1"));
}

TEST(LogReader, CostsARecordItsPartsOutOfOrderOnce) {
  const BuiltLog log = BlgBuilder()
                           .part(part(1, 4, "a"))
                           .part(part(3, 4, "c"))
                           .part(part(2, 4, "b"))
                           .part(part(4, 4, "d"))
                           .part(part(1, 1, "whole", 2))
                           .build();
  EXPECT_THAT(read_all(log), ElementsAre("record log.record.part_order bad_count at " +
                                             std::to_string(log.events[1]) + ": 3/2",
                                         "whole"));
}

TEST(LogReader, CostsARecordItsDoubledPart) {
  const BuiltLog log = BlgBuilder()
                           .part(part(1, 3, "a"))
                           .part(part(2, 3, "b"))
                           .part(part(2, 3, "b"))
                           .part(part(3, 3, "c"))
                           .part(part(1, 1, "whole", 2))
                           .build();
  EXPECT_THAT(read_all(log), ElementsAre("record log.record.part_order bad_count at " +
                                             std::to_string(log.events[2]) + ": 2/3",
                                         "whole"));
}

TEST(LogReader, ReportsPartsWithoutAFirstOneOnce) {
  const BuiltLog log = BlgBuilder()
                           .part(part(2, 3, "b", 1))
                           .part(part(3, 3, "c", 1))
                           .part(part(2, 2, "e", 2))
                           .part(part(1, 1, "whole", 3))
                           .build();
  EXPECT_THAT(read_all(log), ElementsAre("record log.record.part_order bad_count at 72: 2/1",
                                         "record log.record.part_order bad_count at " +
                                             std::to_string(log.events[2]) + ": 2/1",
                                         "whole"));
}

TEST(LogReader, DoesNotJoinPartsOfDifferentRecords) {
  const BuiltLog log = BlgBuilder().part(part(1, 2, "a", 1)).part(part(2, 2, "b", 2)).build();
  EXPECT_THAT(read_all(log), ElementsAre("record log.record.missing_parts bad_count at 72: 2/1",
                                         "record log.record.part_order bad_count at " +
                                             std::to_string(log.events[1]) + ": 2/1"));
}

TEST(LogReader, RefusesPartNumbersThatCannotBe) {
  for (const auto& [number, parts] : {std::pair{0U, 1U}, {0U, 2U}, {5U, 2U}, {0xFFFFFFFFU, 3U}}) {
    const BuiltLog log =
        BlgBuilder().part(part(number, parts, "a", 1)).part(part(1, 1, "whole", 2)).build();
    EXPECT_THAT(read_all(log), ElementsAre("record log.record.part_order bad_count at 72: " +
                                               std::to_string(number) + "/1",
                                           "whole"));
  }
  EXPECT_THAT(read_all(BlgBuilder().part(part(1, 0, "a")).build()),
              ElementsAre("record log.record.parts bad_count at 72: 0/1"));
}

TEST(LogReader, WaitsForPartsThatNeverComeWithoutReservingRoom) {
  EXPECT_THAT(read_all(BlgBuilder().part(part(1, 0xFFFFFFFF, "a")).build()),
              ElementsAre("record log.record.missing_parts bad_count at 72: 4294967295/1"));
}

TEST(LogReader, ReadsEventsOf32BitWriters) {
  const BuiltLog log = BlgBuilder().part(part(1, 1, "a")).build();
  EXPECT_THAT(read_all(log.with_byte(log.events[0] + 2, 0x14)), ElementsAre("a"));
}

// Nobody else writes into a log: what looks like it was one of the library's before it was damaged.
TEST(LogReader, TellsOfEventsThatAreNeitherTheLibrarysNorTheSystems) {
  const BuiltLog log = BlgBuilder().part(part(1, 1, "a")).part(part(1, 1, "b")).build();
  EXPECT_THAT(read_all(log.with_byte(log.events[0] + 2, 0x12)),
              ElementsAre("log.event bad_signature at 72: 18/20", "b"))
      << "header type";
  for (std::size_t at = 24; at < 40; ++at)
    EXPECT_THAT(read_all(log.with_byte(log.events[0] + at, 0xEE)),
                ElementsAre("log.event bad_signature at 72: 10/20", "b"))
        << at;
}

TEST(LogReader, FindsTheNextEventBehindOneWhoseSizeIsWrong) {
  const BuiltLog log = BlgBuilder()
                           .part(part(1, 1, "the first of them"))
                           .part(part(1, 1, "b"))
                           .part(part(1, 1, "c"))
                           .build();
  // Nowhere; into its own piece; over the next event, or a part of it.
  EXPECT_THAT(read_all(log.with_byte(log.events[0], 0)),
              ElementsAre("log.event bad_length at 72: 0/8", "b", "c"));
  EXPECT_THAT(read_all(log.with_byte(log.events[0], 80)),
              ElementsAre("the firs", ::testing::StartsWith("log.event"), "b", "c"));
  EXPECT_THAT(read_all(log.with_byte(log.events[0], 89 + 80)),
              ElementsAre("log.event bad_length at 72: 169/96", "b", "c"));
  EXPECT_THAT(read_all(log.with_byte(log.events[0] + 1, 0x7F)),
              ElementsAre(::testing::StartsWith("log.event truncated at 72"), "b", "c"));
}

TEST(LogReader, CostsARecordOneDamagedPartOnce) {
  const BuiltLog log = BlgBuilder()
                           .part(part(1, 4, "a"))
                           .part(part(2, 4, "b"))
                           .part(part(3, 4, "c"))
                           .part(part(4, 4, "d"))
                           .part(part(1, 1, "whole", 2))
                           .build();
  const auto has_one_error = ElementsAre(::testing::StartsWith("record log.record"), "whole");
  for (const std::size_t event : {1U, 2U, 3U}) {
    const std::size_t at = log.events[event];
    EXPECT_THAT(read_all(log.with_byte(at + 4, 98)), has_one_error) << "its type";
    EXPECT_THAT(read_all(log.with_byte(at + 64, 9)), has_one_error) << "its number";
    EXPECT_THAT(read_all(log.with_byte(at + 68, 9)), has_one_error) << "how many there are";
    EXPECT_THAT(read_all(log.with_byte(at + 24, 0)),
                ElementsAre(::testing::StartsWith("log.event"),
                            ::testing::StartsWith("record log.record"), "whole"))
        << "whose it is";
  }
}

TEST(LogReader, StopsAtTheEndMark) {
  const BuiltLog log = BlgBuilder().part(part(1, 1, "a")).part(part(1, 1, "b")).build();
  EXPECT_THAT(read_all(log.with_byte(log.events[1], 0xFF).with_byte(log.events[1] + 1, 0xFF)),
              ElementsAre("a"));
}

TEST(LogReader, LosesTheRestOfABufferWhoseEventLeadsNowhere) {
  const BuiltLog log = three_records();
  const std::size_t second = log.events[1];
  const std::string at = " at " + std::to_string(second) + ": ";
  EXPECT_THAT(read_all(log.with_byte(second, 0)),
              ElementsAre("first", "log.event bad_length" + at + "0/8", "third"));
  EXPECT_THAT(read_all(log.with_byte(second, 7)),
              ElementsAre("first", "log.event bad_length" + at + "7/8", "third"));
  EXPECT_THAT(read_all(log.with_byte(second + 1, 0x7F)),
              ElementsAre("first", "log.event truncated" + at + "32662/152", "third"));
}

TEST(LogReader, GoesOnBehindAnEventWithoutRoomForItsPart) {
  const BuiltLog log = BlgBuilder().part(part(1, 1, "")).part(part(1, 1, "b")).build();
  EXPECT_THAT(read_all(log.with_byte(log.events[0], 71)),
              ElementsAre("log.event bad_length at 72: 71/72", "b"));
}

TEST(LogReader, CostsABufferItsBadHeader) {
  const BuiltLog log = three_records();
  for (const std::uint32_t value : {0U, 8U, 1016U, 2048U, 0xFFFFFFFFU}) {
    EXPECT_THAT(
        read_all(log.with(1024, value)),
        ElementsAre("first", "log.buffer bad_length at 1024: " + std::to_string(value) + "/1024",
                    "third"));
  }
  for (const std::uint32_t value : {0U, 71U, 1025U, 0xFFFFFFFFU}) {
    EXPECT_THAT(
        read_all(log.with(1024 + 48, value)),
        ElementsAre("first", "log.buffer bad_length at 1024: " + std::to_string(value) + "/1024",
                    "third"));
  }
}

TEST(LogReader, RefusesWhatDoesNotBeginWithABuffer) {
  const BuiltLog log = three_records();
  EXPECT_THAT(read_all(log.cut_to(0)), ElementsAre("not a log: truncated"));
  EXPECT_THAT(read_all(log.cut_to(71)), ElementsAre("not a log: truncated"));
  EXPECT_THAT(read_all(log.with(0, 0)), ElementsAre("not a log: bad_length"));
  EXPECT_THAT(read_all(log.with(0, 1025)), ElementsAre("not a log: bad_length"));
  EXPECT_THAT(read_all(log.with(0, 0x10000008)), ElementsAre("not a log: limit_exceeded"));
  EXPECT_THAT(read_all(log.with(48, 71)), ElementsAre("not a log: bad_length"));
  EXPECT_THAT(read_all(log.with(48, 1025)), ElementsAre("not a log: bad_length"));
}

TEST(LogReader, ReadsWhatIsThereOfALogThatWasCutOff) {
  const BuiltLog log = three_records();
  EXPECT_THAT(read_all(log.cut_to(2048)), ElementsAre("first", "second"));
  EXPECT_THAT(read_all(log.cut_to(2100)),
              ElementsAre("first", "second", "log.buffer truncated at 2048: 72/52"));
  EXPECT_THAT(read_all(log.cut_to(log.events[2] + 60)),
              ElementsAre("first", "second", "log.buffer truncated at 2048: 152/132",
                          "log.event truncated at 2120: 149/132"));
  EXPECT_THAT(read_all(log.cut_to(3000)), ElementsAre("first", "second", "third"))
      << "only unused bytes are missing";
}

TEST(LogReader, ReadsWhatIsLeftOfALogThatHasBecomeShorter) {
  const BuiltLog log = three_records();
  const auto read_all_cut_to = [&log](std::size_t size) {
    std::istringstream stream(log.text());
    auto reader = LogReader::open(stream).value();
    stream.str(log.cut_to(size).text());
    return read_all(reader);
  };
  EXPECT_THAT(read_all_cut_to(2048), ElementsAre("first", "second"));
  EXPECT_THAT(read_all_cut_to(2100),
              ElementsAre("first", "second", "log.buffer truncated at 2048: 72/52"));
  EXPECT_THAT(read_all_cut_to(log.events[2] + 60),
              ElementsAre("first", "second", "log.buffer truncated at 2048: 152/132",
                          "log.event truncated at 2120: 149/132"));
}

TEST(LogReader, TakesZeroBytesForTheEnd) {
  BuiltLog log = three_records();
  log.bytes.resize(log.bytes.size() + 1500);
  EXPECT_THAT(read_all(log), ElementsAre("first", "second", "third"));
}

TEST(LogReader, ReadsWhatFollowsAGapOfZeroBytes) {
  BuiltLog log = three_records();
  std::fill_n(log.bytes.begin() + 1024, 1024, std::byte{0});
  EXPECT_THAT(read_all(log),
              ElementsAre("first", "log.buffer bad_length at 1024: 0/1024", "third"));
}

TEST(LogReader, ReadsALogWhoseFirstBufferHasNoEvents) {
  EXPECT_THAT(read_all(three_records().with(48, 72)), ElementsAre("second", "third"));
}

TEST(LogReader, ReadsALogWithoutRecords) {
  EXPECT_THAT(read_all(BlgBuilder().system_event().build()), IsEmpty());
}

}  // namespace
}  // namespace winperf::blg
