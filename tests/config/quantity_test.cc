#include "config/quantity.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <utility>

namespace winperf {
namespace {

TEST(Duration, TakesWhatPeopleWrite) {
  EXPECT_EQ(parse_duration_ms("500ms"), 500);
  EXPECT_EQ(parse_duration_ms("5s"), 5000);
  EXPECT_EQ(parse_duration_ms("5 s"), 5000);
  EXPECT_EQ(parse_duration_ms("1m"), 60'000);
  EXPECT_EQ(parse_duration_ms("1m30s"), 90'000);
  EXPECT_EQ(parse_duration_ms("1h"), 3'600'000);
  EXPECT_EQ(parse_duration_ms("1d"), 86'400'000);
  EXPECT_EQ(parse_duration_ms("1.5m"), 90'000);
  EXPECT_EQ(parse_duration_ms("0.25s"), 250);
  EXPECT_EQ(parse_duration_ms("1.125s"), 1125);
  EXPECT_EQ(parse_duration_ms("15"), 15'000);
  EXPECT_EQ(parse_duration_ms("1.5"), 1500);
  EXPECT_EQ(parse_duration_ms("0"), 0);
}

TEST(Duration, RefusesWhatIsNone) {
  for (const char* text : {"",
                           " ",
                           "s",
                           "5x",
                           "5S",
                           "-5s",
                           "+5s",
                           "1m30",
                           "5s ",
                           " 5s",
                           "1.s",
                           ".5s",
                           "1.2345s",
                           "0.5ms",
                           "1e3",
                           "99999999999999999999s",
                           "10000000001s",
                           "5s5",
                           "1s 2s",
                           "1h1h1h1h1h1h"}) {
    EXPECT_EQ(parse_duration_ms(text), std::nullopt) << text;
  }
}

TEST(Duration, WritesWhatItReads) {
  const std::pair<std::int64_t, std::string> rows[] = {
      {0, "0s"},        {500, "500ms"},    {15'000, "15s"},        {90'000, "1m30s"},
      {600'000, "10m"}, {3'600'000, "1h"}, {3'601'001, "1h1s1ms"}, {86'400'000, "1d"}};
  for (const auto& [milliseconds, text] : rows) {
    EXPECT_EQ(duration_text(milliseconds), text);
    EXPECT_EQ(parse_duration_ms(text), milliseconds) << text;
  }
}

TEST(Bytes, WritesWhatItReads) {
  const std::pair<std::int64_t, std::string> rows[] = {{0, "0B"},
                                                       {1000, "1000B"},
                                                       {64 * 1024, "64KiB"},
                                                       {1536, "1536B"},
                                                       {10 * 1024 * 1024, "10MiB"},
                                                       {1024 * 1024 * 1024, "1GiB"}};
  for (const auto& [bytes, text] : rows) {
    EXPECT_EQ(bytes_text(bytes), text);
    EXPECT_EQ(parse_bytes(text), bytes) << text;
  }
}

TEST(Bytes, TakesWhatPeopleWrite) {
  EXPECT_EQ(parse_bytes("64MiB"), 64 * 1024 * 1024);
  EXPECT_EQ(parse_bytes("1.5 KiB"), 1536);
  EXPECT_EQ(parse_bytes("1GiB"), 1024 * 1024 * 1024);
  EXPECT_EQ(parse_bytes("7B"), 7);
  EXPECT_EQ(parse_bytes("1048576"), 1048576);
}

TEST(Bytes, RefusesWhatIsNone) {
  for (const char* text : {"", "MiB", "64MB", "64mib", "-1", "1.5", "1KiB1", "1KiB 1", "0.0001KiB",
                           "99999999999GiB", "10000000000GiB"}) {
    EXPECT_EQ(parse_bytes(text), std::nullopt) << text;
  }
}

TEST(Integer, IsExactTo64Bits) {
  EXPECT_EQ(parse_integer("9223372036854775807"), INT64_MAX);
  EXPECT_EQ(parse_integer("-9223372036854775808"), INT64_MIN);
  EXPECT_EQ(parse_integer("9223372036854775808"), std::nullopt);
  EXPECT_EQ(parse_integer("1.0"), std::nullopt);
  EXPECT_EQ(parse_integer("0x10"), std::nullopt);
  EXPECT_EQ(parse_integer(""), std::nullopt);
}

}  // namespace
}  // namespace winperf
