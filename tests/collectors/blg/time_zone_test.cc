#include "collectors/blg/log_reader.h"

#include <gtest/gtest.h>

#include <chrono>
#include <span>
#include <string>

#include "tests/support/blg_builder.h"

namespace winperf::blg {
namespace {

using std::chrono::minutes;

std::uint64_t local(int year, unsigned month, unsigned day, int hour, int minute = 0) {
  using namespace std::chrono;
  const auto days =
      sys_days(std::chrono::year(year) / std::chrono::month(month) / std::chrono::day(day)) -
      sys_days(1601y / January / 1);
  return static_cast<std::uint64_t>(
      duration_cast<milliseconds>(days + hours(hour) + std::chrono::minutes(minute)).count() *
      10'000);
}

minutes offset(const TimeZone& zone, std::uint64_t local_100ns) {
  return minutes(utc_offset(zone, local_100ns) / 600'000'000);
}

// Second Sunday in March to first Sunday in November.
const TimeZone kPacific{
    .bias = minutes(480),
    .daylight_bias = minutes(-60),
    .standard = {.month = 11, .weekday = 0, .day = 1, .time = std::chrono::hours(2)},
    .daylight = {.month = 3, .weekday = 0, .day = 2, .time = std::chrono::hours(2)}};

TEST(TimeZone, ChangesOverTwiceAYear) {
  EXPECT_EQ(offset(kPacific, local(2016, 11, 26, 13)), minutes(480));
  EXPECT_EQ(offset(kPacific, local(2016, 3, 13, 1, 59)), minutes(480));
  EXPECT_EQ(offset(kPacific, local(2016, 3, 13, 3)), minutes(420));
  EXPECT_EQ(offset(kPacific, local(2016, 11, 6, 0, 59)), minutes(420));
  EXPECT_EQ(offset(kPacific, local(2016, 11, 6, 2)), minutes(480));
}

TEST(TimeZone, MayBeginInTheLastWeekOfAMonth) {
  TimeZone berlin{.bias = minutes(-60),
                  .daylight_bias = minutes(-60),
                  .standard = {.month = 10, .weekday = 0, .day = 5, .time = std::chrono::hours(3)},
                  .daylight = {.month = 3, .weekday = 0, .day = 5, .time = std::chrono::hours(2)}};
  EXPECT_EQ(offset(berlin, local(2024, 3, 31, 1, 59)), minutes(-60));
  EXPECT_EQ(offset(berlin, local(2024, 3, 31, 3)), minutes(-120));
  EXPECT_EQ(offset(berlin, local(2024, 10, 27, 4)), minutes(-60));
}

TEST(TimeZone, OfTheSouthIsInDaylightTimeAtNewYear) {
  const TimeZone sydney{
      .bias = minutes(-600),
      .daylight_bias = minutes(-60),
      .standard = {.month = 4, .weekday = 0, .day = 1, .time = std::chrono::hours(3)},
      .daylight = {.month = 10, .weekday = 0, .day = 1, .time = std::chrono::hours(2)}};
  EXPECT_EQ(offset(sydney, local(2024, 1, 1, 0)), minutes(-660));
  EXPECT_EQ(offset(sydney, local(2024, 7, 1, 0)), minutes(-600));
  EXPECT_EQ(offset(sydney, local(2024, 12, 31, 23)), minutes(-660));
}

TEST(TimeZone, MayChangeInTheLastMonthAndInTheFirst) {
  const TimeZone fiji{
      .bias = minutes(-720),
      .daylight_bias = minutes(-60),
      .standard = {.month = 1, .weekday = 0, .day = 3, .time = std::chrono::hours(3)},
      .daylight = {.month = 12, .weekday = 0, .day = 1, .time = std::chrono::hours(2)}};
  EXPECT_EQ(offset(fiji, local(2024, 1, 21, 2)), minutes(-780));
  EXPECT_EQ(offset(fiji, local(2024, 1, 21, 4)), minutes(-720));
  EXPECT_EQ(offset(fiji, local(2024, 12, 1, 1)), minutes(-720));
  EXPECT_EQ(offset(fiji, local(2024, 12, 1, 3)), minutes(-780));
}

TEST(TimeZone, MayChangeOnADateOrNever) {
  TimeZone zone = kPacific;
  zone.standard = {.year = 2016, .month = 11, .day = 10, .time = std::chrono::hours(2)};
  zone.daylight = {.year = 2016, .month = 3, .day = 1, .time = std::chrono::hours(2)};
  EXPECT_EQ(offset(zone, local(2016, 11, 9, 0)), minutes(420));
  EXPECT_EQ(offset(zone, local(2017, 6, 1, 0)), minutes(480)) << "said for another year";
  zone.standard.month = 0;
  EXPECT_EQ(offset(zone, local(2016, 6, 1, 0)), minutes(480));
}

TEST(TimeZone, WithNonsenseInItHasAnOffsetAllTheSame) {
  TimeZone zone = kPacific;
  for (const Changeover& change : {Changeover{.month = 13, .day = 1},
                                   {.month = 2, .weekday = 7, .day = 1},
                                   {.month = 2, .weekday = 0, .day = 0},
                                   {.month = 2, .weekday = 0, .day = 6},
                                   {.year = 2016, .month = 2, .day = 31},
                                   {.year = 65535, .month = 2, .day = 1}}) {
    zone.daylight = change;
    EXPECT_EQ(offset(zone, local(2016, 6, 1, 0)), minutes(480));
  }
  EXPECT_EQ(utc_offset(kPacific, 0xFFFF'FFFF'FFFF'FFFF), 0);
}

std::optional<TimeZone> zone_in(std::span<const std::byte> log) {
  const auto header = read_trace_header(log);
  return header ? header->zone : std::nullopt;
}

TEST(TimeZone, IsReadFromTraceHeadersOf32And64Bits) {
  for (const std::uint32_t pointer_bytes : {4U, 8U}) {
    testing::BlgBuilder log;
    const auto built = log.trace_header({.bias = -330, .pointer_bytes = pointer_bytes}).build();
    const auto zone = zone_in(built.bytes);
    ASSERT_TRUE(zone) << pointer_bytes;
    EXPECT_EQ(zone->bias, minutes(-330));
    EXPECT_EQ(zone->standard_bias, minutes(0));
    EXPECT_EQ(zone->daylight_bias, minutes(-60));
    EXPECT_EQ(zone->standard.month, 10);
    EXPECT_EQ(zone->standard.day, 5);
    EXPECT_EQ(zone->standard.time, std::chrono::hours(3));
    EXPECT_EQ(zone->daylight.month, 3);
    for (std::size_t size = 0; size < 72 + 32 + 56 + 2 * pointer_bytes + 172; ++size)
      EXPECT_FALSE(zone_in(std::span(built.bytes).first(size))) << size;
  }
}

TEST(TimeZone, IsNotReadFromAnythingElse) {
  const auto built = testing::BlgBuilder().trace_header({}).build();
  EXPECT_FALSE(zone_in(built.with_byte(72 + 3, 0).bytes)) << "not the system's";
  EXPECT_FALSE(zone_in(built.with_byte(72 + 6, 1).bytes)) << "of another type";
  EXPECT_FALSE(zone_in(built.with_byte(72 + 32 + 44, 5).bytes)) << "pointers of 5 bytes";
}

}  // namespace
}  // namespace winperf::blg
