#include "collectors/blg/log_source.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "collectors/base/stop.h"
#include "collectors/wire/name_table.h"
#include "tests/collectors/sources/temp_dir.h"
#include "tests/support/name_table_bytes.h"
#include "tests/support/sample_logs.h"

namespace winperf::blg {
namespace {

using testing::BlgBuilder;
using testing::BuiltLog;
using testing::ByteVector;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing::sample_bytes;

using Opened = std::expected<std::unique_ptr<BlgSource>, SourceError>;

// The only machine of the log.
Opened only(std::expected<BlgSource::Sources, SourceError> machines) {
  if (!machines) return std::unexpected(machines.error());
  EXPECT_EQ(machines->size(), 1U);
  return std::move(machines->front());
}

Opened open(const BuiltLog& log) {
  return only(BlgSource::open(std::make_unique<std::istringstream>(log.text()), "the.blg"));
}

BuiltLog named_log(const std::string& wanted) {
  for (auto& [name, log] : testing::sample_logs())
    if (name == wanted) return std::move(log);
  ADD_FAILURE() << wanted;
  return {};
}

ByteVector block(std::uint32_t object) {
  return testing::BlockBuilder().add(testing::ObjectBuilder(object)).bytes();
}

// Objects by the blocks of the next sample, or the error's name.
std::vector<std::string> next(BlgSource& source, std::string_view value_name) {
  const std::expected<Reply, Error> reply = source.query(value_name, {});
  if (!reply) return {std::string(name_of(reply.error().code))};
  std::vector<std::string> objects;
  for (const Bytes& bytes : reply->blocks) {
    std::uint32_t object = 0;
    for (std::uint32_t candidate = 1; candidate < 300; ++candidate)
      if (bytes == block(candidate)) object = candidate;
    objects.push_back(std::to_string(object));
  }
  return objects;
}

// Samples with one object each, in a buffer of their own: 1, 2, 3, ...
BuiltLog numbered_samples(std::uint32_t count, std::size_t part_bytes = 400) {
  BlgBuilder log;
  for (std::uint32_t object = 1; object <= count; ++object)
    log.new_buffer().record(34, sample_bytes({{.body = block(object)}}), part_bytes);
  return log.build();
}

TEST(BlgSource, GivesSamplesInOrderAndBlocksInOrder) {
  const auto source = open(BlgBuilder()
                               .record(34, sample_bytes({{.body = block(1)}, {.body = block(2)}}))
                               .record(34, sample_bytes({{.body = block(3)}}))
                               .build());
  ASSERT_TRUE(source) << source.error().text;
  EXPECT_EQ((*source)->sample_count(), 2U);
  EXPECT_THAT(next(**source, "Global"), ElementsAre("1", "2"));
  EXPECT_THAT(next(**source, "Global"), ElementsAre("3"));
  EXPECT_THAT(next(**source, "Global"), ElementsAre("end_of_capture"));
  EXPECT_THAT(next(**source, "Global"), ElementsAre("end_of_capture"));
}

TEST(BlgSource, KeepsACursorForEachValueName) {
  const auto source = open(numbered_samples(2, 100));
  ASSERT_TRUE(source) << source.error().text;
  EXPECT_THAT(next(**source, "2 238"), ElementsAre("1"));
  EXPECT_THAT(next(**source, "2 238"), ElementsAre("2"));
  EXPECT_THAT(next(**source, "4"), ElementsAre("1"));
  EXPECT_THAT(next(**source, ""), ElementsAre("1"));
  EXPECT_THAT(next(**source, "4"), ElementsAre("2"));
}

TEST(BlgSource, MakesADamagedSampleAnErrorInItsPlace) {
  const BuiltLog log = numbered_samples(3);
  const std::size_t second = log.events[1];
  // Its items' signature; then its part's number.
  for (const BuiltLog& damaged : {log.with(second + 72 + 8, 0), log.with(second + 64, 2)}) {
    const auto source = open(damaged);
    ASSERT_TRUE(source) << source.error().text;
    EXPECT_THAT(next(**source, "Global"), ElementsAre("1"));
    const auto reply = (*source)->query("Global", {});
    ASSERT_FALSE(reply);
    EXPECT_EQ(kind_of(reply.error().code), ErrorKind::kCorrupt);
    EXPECT_THAT(next(**source, "Global"), ElementsAre("3"));
    EXPECT_THAT(next(**source, "Global"), ElementsAre("end_of_capture"));
    EXPECT_EQ((*source)->summary().damaged, 1U);
    EXPECT_EQ((*source)->summary().first_damage, reply.error());
  }
}

TEST(BlgSource, SaysWhereInTheFileASampleIsDamaged) {
  const BuiltLog log = numbered_samples(3);
  const auto source = open(log.with(log.events[1] + 72 + 8, 0));
  ASSERT_TRUE(source);
  EXPECT_EQ((*source)->summary().first_damage->offset, log.events[1] + 72 + 8);
}

TEST(BlgSource, LosesTheSamplesOfADamagedBufferAlone) {
  const auto source = open(numbered_samples(3).with(1024, 17));
  ASSERT_TRUE(source) << source.error().text;
  EXPECT_THAT(next(**source, "Global"), ElementsAre("1"));
  EXPECT_THAT(next(**source, "Global"), ElementsAre("3"));
  EXPECT_THAT(describe_losses((*source)->summary()),
              "1 damaged part (the first: log.buffer has an impossible length at offset 1024: 17 "
              "against 1024)");
}

TEST(BlgSource, PassesOnABlockThatIsNone) {
  const auto source = open(BlgBuilder().record(34, sample_bytes({{5, ByteVector(40)}})).build());
  ASSERT_TRUE(source);
  const auto reply = (*source)->query("Global", {});
  ASSERT_TRUE(reply);
  ASSERT_EQ(reply->blocks.size(), 1U);
  EXPECT_EQ(reply->blocks[0], ByteVector(40));
}

TEST(BlgSource, GivesBlocksAndValuesOfOneSampleTogether) {
  const auto source = open(named_log("mixed"));
  ASSERT_TRUE(source) << source.error().text;
  EXPECT_EQ((*source)->sample_count(), 2U);
  const auto reply = (*source)->query("Global", {});
  ASSERT_TRUE(reply);
  EXPECT_EQ(reply->blocks.size(), 1U);
  EXPECT_EQ(reply->logged.size(), 2U);
  EXPECT_EQ(describe((*source)->summary()),
            "2 samples of 3 counters (such as \\\\HOST-01\\Memory\\Available Bytes): 2 whole "
            "objects, 4 values, 2 missing values, 2 items of unknown kinds");
  EXPECT_EQ(describe_losses((*source)->summary()),
            "2 items of unknown kinds skipped (the first at offset 946); 2 values were missing "
            "when the log was recorded (the "
            "first: \\\\HOST-01\\Thread(bc)\\% Processor Time, status 0x00000007)");
}

TEST(BlgSource, OfValuesKnowsHowManyBytesTheirRecordHas) {
  const auto record = sample_bytes({{1, testing::counter_body({.first = 1}, 0, 0)}});
  const auto values = open(BlgBuilder()
                               .record(32, testing::counter_list_bytes(
                                               {{.object = u"A", .counter = u"n", .wildcard = 0}}))
                               .record(34, record)
                               .build());
  ASSERT_TRUE(values) << values.error().text;
  EXPECT_EQ((*values)->query("Global", {})->logged_bytes, record.size());
  EXPECT_EQ(open(numbered_samples(1)).value()->query("Global", {})->logged_bytes, 0U)
      << "blocks have a size of their own";
}

TEST(BlgSource, NumbersItsObjectsAsWindowsNumbersNone) {
  std::vector<testing::ListedCounter> counters;
  std::vector<testing::ItemSpec> values;
  for (const char16_t* object : {u"A", u"B", u"C"}) {
    counters.push_back({.object = object, .counter = u"n", .wildcard = 0});
    values.push_back({1, testing::counter_body({}, 0, 0)});
  }
  const auto source = open(BlgBuilder()
                               .record(32, testing::counter_list_bytes(counters))
                               .record(34, sample_bytes(values))
                               .build());
  ASSERT_TRUE(source) << source.error().text;
  const auto reply = (*source)->query("Global", {});
  for (std::uint32_t i = 0; i < 3; ++i)
    EXPECT_EQ(value_of(reply->logged.at(i).values->schema->index), kFirstOwnIndex + i);
}

// The type of an average says 32 bits of both.
TEST(BlgSource, HasACounterWith64BitsIfAnyOfItsValuesNeedsThem) {
  constexpr std::uint64_t kNarrow = 0xFFFF'FFFF, kWide = 0x1'0000'0000;
  constexpr std::uint32_t kAverageBulk = 0x4002'0500, kRawFraction = 0x2002'0400;
  const auto sizes = [](std::uint32_t type, std::vector<testing::RawSpec> values) {
    BlgBuilder log;
    log.record(32, testing::counter_list_bytes(
                       {{.object = u"A", .counter = u"n", .wildcard = 0, .type = type}}));
    for (const auto& value : values)
      log.record(34, sample_bytes({{1, testing::counter_body(value, 0, 0)}}));
    const auto reply = open(log.build()).value()->query("Global", {});
    const CounterSchema& counter = reply->logged.at(0).values->schema->counters.at(0);
    return std::pair(counter.size, counter.base_size);
  };
  EXPECT_EQ(sizes(kRawFraction, {{0, kNarrow, kNarrow}, {0, kNarrow, kNarrow}}), std::pair(4U, 4U));
  EXPECT_EQ(sizes(kRawFraction, {{0, kWide, 1}, {0, 1, 1}}), std::pair(8U, 4U));
  EXPECT_EQ(sizes(kRawFraction, {{0, 1, kWide}, {0, 1, 1}}), std::pair(4U, 8U));
  EXPECT_EQ(sizes(kAverageBulk, {{0, 1, 1}, {0, 1, kWide}}), std::pair(8U, 8U));
}

TEST(BlgSource, SaysNothingOfLossesWhereThereAreNone) {
  const auto source = open(named_log("whole_objects"));
  ASSERT_TRUE(source) << source.error().text;
  EXPECT_THAT(describe_losses((*source)->summary()), IsEmpty());
  EXPECT_EQ(describe((*source)->summary()),
            "3 samples of 2 counters (such as \\\\HOST-01\\Processor(*)\\*): 6 whole objects");
  EXPECT_EQ((*source)->summary().foreign_events, 1U);
}

TEST(BlgSource, RefusesALogOfWhichNothingIsKnownAndSaysWhatItHolds) {
  BlgBuilder log;
  log.record(34, sample_bytes({{1, testing::counter_body({}, 0, 0)}}));
  const auto one = open(log.build());
  ASSERT_FALSE(one);
  EXPECT_EQ(one.error().code, ErrorCode::kUnsupported);
  EXPECT_EQ(one.error().text,
            "cannot replay the log the.blg: none of its values belongs to a known counter; it "
            "holds 1 sample of 0 counters: 1 value of a counter that the log does not list");
  log.record(34, sample_bytes({{1, testing::counter_body({}, 0, 0)},
                               {2, testing::instances_body({{u"a", {}}, {u"b", {}}}, 0)},
                               {3, ByteVector(8)}}));
  const auto more = open(log.build());
  ASSERT_FALSE(more);
  EXPECT_THAT(more.error().text, HasSubstr("2 samples of 0 counters: 4 values of counters that the "
                                           "log does not list, 1 item of an unknown kind"));
}

TEST(BlgSource, RefusesALogWithoutSamples) {
  const auto source = open(BlgBuilder().system_event().build());
  ASSERT_FALSE(source);
  EXPECT_EQ(source.error().code, ErrorCode::kNoSuchObject);
  EXPECT_EQ(source.error().text,
            "cannot replay the log the.blg: none of its samples can be read; it holds 0 samples of "
            "0 counters: 1 event from outside the performance library");
}

TEST(BlgSource, RefusesWhatIsNoLog) {
  const auto source = open(BuiltLog{.bytes = ByteVector(500), .events = {}});
  ASSERT_FALSE(source);
  EXPECT_EQ(source.error().code, ErrorCode::kBadSignature);
  EXPECT_THAT(source.error().text, HasSubstr("the.blg: it is not a binary log"));
}

TEST(BlgSource, GivesTheNameTableOfTheRecordingMachine) {
  const auto source = open(named_log("whole_objects"));
  ASSERT_TRUE(source);
  for (const Language language : {Language::kEnglish, Language::kMachine}) {
    const auto tables = (*source)->text_tables(TextTable::kCounter, language);
    ASSERT_EQ(tables.size(), 1U);
    ASSERT_TRUE(tables[0]);
    const NameTable names = NameTable::parse(*tables[0]);
    EXPECT_TRUE(names.problems().empty());
    EXPECT_EQ(names.entries().size(), 3U);
    ASSERT_NE(names.find(238), nullptr);
    EXPECT_EQ(*names.find(238), "Processor");
  }
  const auto help = (*source)->text_tables(TextTable::kHelp, Language::kEnglish);
  ASSERT_EQ(help.size(), 1U);
  ASSERT_FALSE(help[0]);
  EXPECT_EQ(help[0].error().code, ErrorCode::kNoSuchFile);
}

TEST(BlgSource, HasNoNamesWhereTheLogHasNone) {
  const auto source = open(numbered_samples(1));
  ASSERT_TRUE(source);
  const auto tables = (*source)->text_tables(TextTable::kCounter, Language::kEnglish);
  ASSERT_EQ(tables.size(), 1U);
  ASSERT_FALSE(tables[0]);
  EXPECT_EQ(tables[0].error().code, ErrorCode::kNoSuchFile);
}

TEST(BlgSource, DoesNotMixTheNamesOfTwoMachines) {
  const auto source =
      open(BlgBuilder()
               .record(36, testing::name_record_bytes(u"\\\\ONE", {u"2", u"System"}))
               .record(36, testing::name_record_bytes(u"\\\\TWO", {u"4", u"Memory"}))
               .record(36, testing::name_record_bytes(u"no machine", {u"6", u"Time"}))
               .record(34, sample_bytes({{.body = block(1)}}))
               .build());
  ASSERT_TRUE(source);
  const auto tables = (*source)->text_tables(TextTable::kCounter, Language::kEnglish);
  ASSERT_TRUE(tables.at(0));
  EXPECT_EQ(*tables[0], testing::name_table_bytes({u"2", u"System"}));
  EXPECT_EQ((*source)->summary().foreign_names, 1U);
  EXPECT_EQ((*source)->summary().damaged, 1U);
  EXPECT_THAT(describe_losses((*source)->summary()),
              HasSubstr("1 name table record of machines without counters skipped"));
}

TEST(BlgSource, DoesNotMoveOnWhenStopped) {
  const auto source = open(numbered_samples(1));
  ASSERT_TRUE(source);
  StopSource stop;
  stop.request_stop();
  const auto reply = (*source)->query("Global", stop.token());
  ASSERT_FALSE(reply);
  EXPECT_EQ(reply.error().code, ErrorCode::kCancelled);
  EXPECT_THAT(next(**source, "Global"), ElementsAre("1"));
}

TEST(BlgSource, NeverChangesItsProviders) {
  const auto source = open(numbered_samples(1));
  ASSERT_TRUE(source);
  EXPECT_FALSE((*source)->supports_metadata());
  const std::uint64_t generation = (*source)->provider_generation();
  (*source)->release();
  EXPECT_EQ((*source)->provider_generation(), generation);
}

TEST(BlgSource, ReadsAFile) {
  const testing::TempDir dir;
  dir.write("it.blg", numbered_samples(2).text());
  const auto source = only(BlgSource::open(dir.path() / "it.blg"));
  ASSERT_TRUE(source) << source.error().text;
  EXPECT_THAT(next(**source, "Global"), ElementsAre("1"));
  EXPECT_THAT(next(**source, "Global"), ElementsAre("2"));
}

// The largest buffers that there are, so that few of them are enough; almost all of it is a hole.
TEST(BlgSource, ReadsALogOfMoreThanOneGibibyte) {
  constexpr std::uint32_t kBuffer = 16U << 20;
  constexpr int kBuffers = 70;
  const testing::TempDir dir;
  {
    std::ofstream file(dir.path() / "it.blg", std::ios::binary);
    for (int buffer = 0; buffer < kBuffers; ++buffer) {
      BlgBuilder log(1024);
      log.record(34, sample_bytes({{.body = block(static_cast<std::uint32_t>(buffer + 1))}}));
      const std::string text = log.build().with(0, kBuffer).text();
      file.seekp(std::streamoff{buffer} * kBuffer);
      file.write(text.data(), static_cast<std::streamsize>(text.size()));
    }
  }
  const auto source = only(BlgSource::open(dir.path() / "it.blg"));
  ASSERT_TRUE(source) << source.error().text;
  EXPECT_EQ((*source)->sample_count(), std::size_t{kBuffers});
  EXPECT_EQ((*source)->summary().damaged, 0U) << "only unused bytes are missing at the end";
  for (int buffer = 0; buffer < kBuffers; ++buffer)
    EXPECT_THAT(next(**source, "Global"), ElementsAre(std::to_string(buffer + 1)));
}

// One flipped bit makes it look like a counter list.
TEST(BlgSource, ASampleWhoseTypeIsDamagedIsRecognised) {
  const BuiltLog log = numbered_samples(3);
  for (const int type : {32, 36, 38, 35, 98}) {
    const auto source = open(log.with_byte(log.events[1] + 4, static_cast<std::uint8_t>(type)));
    ASSERT_TRUE(source) << source.error().text;
    for (const char* const object : {"1", "2", "3", "end_of_capture"})
      EXPECT_THAT(next(**source, "Global"), ElementsAre(object)) << type;
    EXPECT_EQ((*source)->summary().first_damage->offset, log.events[1]);
    EXPECT_EQ((*source)->summary().damaged, 1U);
  }
}

TEST(BlgSource, RecordsOfUnknownTypesAreToldWithTheirPlace) {
  const BuiltLog log = BlgBuilder()
                           .record(34, sample_bytes({{.body = block(1)}}))
                           .record(98, ByteVector(40))
                           .record(99, ByteVector(40))
                           .build();
  const auto source = open(log);
  ASSERT_TRUE(source) << source.error().text;
  EXPECT_EQ(describe_losses((*source)->summary()),
            "2 records of unknown types skipped (the first at offset " +
                std::to_string(log.events[1]) + ")");
  EXPECT_TRUE((*source)->summary().is_incomplete());
}

TEST(BlgSource, KnowsWhoseCountersItHas) {
  const auto source = open(named_log("whole_objects"));
  ASSERT_TRUE(source);
  EXPECT_EQ((*source)->query("Global", {})->host, "HOST-01");
}

TEST(BlgSource, ACounterThatTheListDoesNotNameIsNotShown) {
  const auto source =
      open(BlgBuilder()
               .record(32, testing::counter_list_bytes(
                               {{.object = u"A", .counter = u"", .wildcard = 0, .type = 0x10000},
                                {.object = u"A", .counter = u"n", .wildcard = 0, .type = 0x10000}}))
               .record(34, sample_bytes({{1, testing::counter_body({.first = 1}, 0, 0)},
                                         {1, testing::counter_body({.first = 2}, 0, 0)}}))
               .build());
  ASSERT_TRUE(source) << source.error().text;
  const auto reply = (*source)->query("Global", {});
  ASSERT_EQ(reply->logged.size(), 1U);
  EXPECT_EQ(reply->logged[0].values->schema->counters.size(), 1U);
  EXPECT_EQ(reply->logged[0].values->raw.at(0), 2U);
  EXPECT_FALSE((*source)->summary().is_incomplete());
  EXPECT_THAT(describe_losses((*source)->summary()),
              HasSubstr("1 value of a counter without a name left out"));
}

TEST(BlgSource, NoticesThatItsFileHasChanged) {
  const testing::TempDir dir;
  dir.write("it.blg", numbered_samples(2).text());
  const auto source = only(BlgSource::open(dir.path() / "it.blg"));
  ASSERT_TRUE(source) << source.error().text;
  dir.write("it.blg", BlgBuilder().system_event().build().text());
  EXPECT_THAT(next(**source, "Global"), ElementsAre("bad_signature"));
  EXPECT_THAT(next(**source, "Global"), ElementsAre("bad_signature"));
  EXPECT_THAT(next(**source, "Global"), ElementsAre("end_of_capture"));
}

TEST(BlgSource, RefusesFilesThatCannotBeRead) {
  const testing::TempDir dir;
  const auto missing = BlgSource::open(dir.path() / "missing.blg");
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error().code, ErrorCode::kNoSuchFile);
  EXPECT_THAT(missing.error().text, HasSubstr("missing.blg"));
  const auto directory = BlgSource::open(dir.path());
  ASSERT_FALSE(directory);
  EXPECT_EQ(directory.error().code, ErrorCode::kNotAFile);
}

}  // namespace
}  // namespace winperf::blg
