// Circular logs: the counter list, names and registrations come after the samples, and a log that
// has wrapped holds its samples in two runs.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>

#include "collectors/blg/log_source.h"
#include "tests/support/blg_builder.h"

namespace winperf::blg {
namespace {

using testing::BlgBuilder;
using testing::BuiltLog;
using testing::ByteVector;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr std::uint64_t kStart = 128'315'796'386'590'000;
constexpr std::uint64_t kOneSecond = 10'000'000;

std::unique_ptr<BlgSource> source_of(const BuiltLog& log) {
  auto machines = BlgSource::open(std::make_unique<std::istringstream>(log.text()), "the.blg");
  EXPECT_TRUE(machines) << machines.error().text;
  return machines ? std::move(machines->front()) : nullptr;
}

ByteVector list() {
  return testing::counter_list_bytes(
      {{.object = u"A", .counter = u"n", .wildcard = 0, .type = 0x0001'0100}});
}

// The n-th one was taken n seconds after the start, and has n as its value.
void add_sample(BlgBuilder& log, std::uint64_t number, std::size_t part_bytes = 400) {
  log.at(kStart + number * kOneSecond)
      .record(34, testing::sample_bytes({{1, testing::counter_body({.first = number}, 0, 0)}}),
              part_bytes);
}

// What a log writes when it is closed.
void add_end(BlgBuilder& log, std::uint64_t seconds) {
  log.at(kStart + seconds * kOneSecond)
      .record(36, testing::name_record_bytes(u"\\\\HOST-01", {u"4", u"Memory"}))
      .record(32, list());
}

// The values of all samples; 0 for one that can't be read.
std::vector<std::uint64_t> values_of(BlgSource& source) {
  std::vector<std::uint64_t> values;
  while (true) {
    const auto reply = source.query("Global", {});
    if (!reply && reply.error().code == ErrorCode::kEndOfCapture) return values;
    values.push_back(reply && !reply->logged.empty() ? reply->logged[0].values->raw.at(0) : 0);
  }
}

TEST(CircularLog, HasItsListBehindItsSamples) {
  for (const bool circular : {true, false}) {
    BlgBuilder log;
    log.trace_header({.circular = circular}).new_buffer();
    for (const std::uint64_t number : {1U, 2U, 3U}) add_sample(log, number);
    add_end(log, 60);
    const auto source = source_of(log.build());
    ASSERT_NE(source, nullptr);
    EXPECT_THAT(values_of(*source), ElementsAre(1, 2, 3));
    EXPECT_THAT(describe_losses(source->summary()), IsEmpty());
    EXPECT_EQ(source->summary().counters, 1U);
    EXPECT_EQ(source->summary().values, 3U);
  }
}

TEST(CircularLog, OfSeveralListsTheFirstIsThatOfTheSamplesBeforeIt) {
  BlgBuilder log;
  add_sample(log, 1);
  log.record(32, list());
  add_sample(log, 2);
  log.record(32, testing::counter_list_bytes(
                     {{.object = u"B", .counter = u"m", .wildcard = 0, .type = 0x0001'0100}}));
  add_sample(log, 3);
  const auto source = source_of(log.build());
  ASSERT_NE(source, nullptr);
  std::vector<std::string> objects;
  for (int sample = 0; sample < 3; ++sample)
    objects.push_back(source->query("Global", {})->logged.at(0).values->schema->name);
  EXPECT_THAT(objects, ElementsAre("A", "A", "B"));
}

// With the closing records between the runs, as when the log was closed after it had wrapped, and
// with them at the end.
TEST(CircularLog, ThatHasWrappedIsInTheOrderOfTime) {
  for (const bool end_is_between : {true, false}) {
    BlgBuilder log;
    log.trace_header({.circular = true}).new_buffer();
    for (const std::uint64_t number : {4U, 5U}) add_sample(log, number);
    if (end_is_between) add_end(log, 60);
    log.new_buffer();
    for (const std::uint64_t number : {1U, 2U, 3U}) add_sample(log, number);
    if (!end_is_between) add_end(log, 60);
    const BuiltLog built = log.build();
    const auto source = source_of(built);
    ASSERT_NE(source, nullptr);
    EXPECT_THAT(values_of(*source), ElementsAre(1, 2, 3, 4, 5)) << end_is_between;
    EXPECT_FALSE(source->summary().is_incomplete()) << describe_losses(source->summary());
    const std::size_t oldest = built.events[end_is_between ? 4 : 2];
    EXPECT_EQ(describe_losses(source->summary()),
              "the log is circular and has wrapped: the oldest sample is at offset " +
                  std::to_string(oldest) + ", and samples are in the order of their times");
  }
}

TEST(CircularLog, WrapsWithinABufferToo) {
  BlgBuilder log(4096);
  log.trace_header({.circular = true});
  for (const std::uint64_t number : {3U, 4U, 1U, 2U}) add_sample(log, number);
  add_end(log, 60);
  const auto source = source_of(log.build());
  ASSERT_NE(source, nullptr);
  EXPECT_THAT(values_of(*source), ElementsAre(1, 2, 3, 4));
}

std::vector<std::uint64_t> in_order(const std::vector<std::uint64_t>& numbers) {
  BlgBuilder log;
  log.trace_header({.circular = true}).new_buffer();
  for (const std::uint64_t number : numbers) add_sample(log, number);
  add_end(log, 200);
  const auto source = source_of(log.build());
  EXPECT_NE(source, nullptr);
  return source == nullptr ? std::vector<std::uint64_t>() : values_of(*source);
}

TEST(CircularLog, BeginsWhereTimesFallTheMost) {
  EXPECT_THAT(in_order({8, 10, 9, 11, 1, 2, 3}), ElementsAre(1, 2, 3, 8, 10, 9, 11))
      << "over the end of daylight time";
  EXPECT_THAT(in_order({6, 1, 2, 3, 4, 5}), ElementsAre(1, 2, 3, 4, 5, 6)) << "just wrapped";
  EXPECT_THAT(in_order({100, 2, 3, 4}), ElementsAre(100, 2, 3, 4)) << "one time is wrong";
}

// Moves the buffers behind the first one, so that the last `count` of them come first.
BuiltLog rotated(BuiltLog log, std::size_t buffer_bytes, std::size_t count) {
  const auto middle = log.bytes.end() - static_cast<std::ptrdiff_t>(buffer_bytes * count);
  std::rotate(log.bytes.begin() + static_cast<std::ptrdiff_t>(buffer_bytes), middle,
              log.bytes.end());
  return log;
}

TEST(CircularLog, ASampleAtTheEndOfTheFileGoesOnAtItsBeginning) {
  BlgBuilder log(512);
  log.trace_header({.circular = true}).new_buffer();
  for (std::uint64_t number = 1; number <= 6; ++number) add_sample(log, number, 20);
  add_end(log, 60);
  const BuiltLog built = log.build();
  const std::size_t buffers = built.bytes.size() / 512;
  const auto whole = ElementsAre(1, 2, 3, 4, 5, 6);
  int wrapped = 0;
  for (std::size_t count = 1; count + 1 < buffers; ++count) {
    const auto source = source_of(rotated(built, 512, count));
    ASSERT_NE(source, nullptr) << count;
    if (!source->summary().oldest_run) continue;  // only the end of the log was moved
    ++wrapped;
    EXPECT_THAT(values_of(*source), whole) << count;
    EXPECT_FALSE(source->summary().is_incomplete()) << describe_losses(source->summary());
  }
  EXPECT_GE(wrapped, 3);
}

TEST(CircularLog, TheSampleOverWhichTheNewestWereWrittenIsNoDamage) {
  BlgBuilder log;
  log.trace_header({.circular = true}).new_buffer();
  log.record(32, list());
  for (const std::uint64_t number : {4U, 5U}) add_sample(log, number);
  log.new_buffer().part(
      {.time = kStart + kOneSecond, .part = 2, .parts = 2, .piece = ByteVector(8)});
  for (const std::uint64_t number : {2U, 3U}) add_sample(log, number);
  const auto source = source_of(log.build());
  ASSERT_NE(source, nullptr);
  EXPECT_THAT(values_of(*source), ElementsAre(2, 3, 4, 5));
  EXPECT_EQ(source->summary().overwritten, 1U);
  EXPECT_FALSE(source->summary().is_incomplete());
  EXPECT_THAT(describe_losses(source->summary()),
              HasSubstr("newer samples have overwritten the beginning of an older one"));
}

// Clocks may be set back, and only a circular log can wrap.
TEST(CircularLog, WhatHasNotWrappedKeepsItsOrder) {
  const auto values = [](bool circular, const std::vector<std::uint64_t>& numbers) {
    BlgBuilder log;
    log.trace_header({.circular = circular}).new_buffer().record(32, list());
    for (const std::uint64_t number : numbers) add_sample(log, number);
    const auto source = source_of(log.build());
    EXPECT_EQ(source->summary().oldest_run, std::nullopt);
    EXPECT_FALSE(source->summary().is_incomplete());
    EXPECT_THAT(describe_losses(source->summary()), HasSubstr("older than the one before"));
    return values_of(*source);
  };
  EXPECT_THAT(values(false, {4, 5, 1, 2}), ElementsAre(4, 5, 1, 2)) << "it isn't circular";
  EXPECT_THAT(values(true, {10, 11, 12, 11, 12, 13}), ElementsAre(10, 11, 12, 11, 12, 13))
      << "an hour comes twice";
  EXPECT_THAT(values(true, {3, 2, 1}), ElementsAre(3, 2, 1)) << "several times";
}

}  // namespace
}  // namespace winperf::blg
