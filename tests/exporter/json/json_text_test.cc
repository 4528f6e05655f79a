#include "exporter/json/json_text.h"

#include <gtest/gtest.h>

#include <limits>
#include <nlohmann/json.hpp>

namespace winperf::json {
namespace {

std::string time_of(std::int64_t ticks) {
  std::string out;
  append_time(out, Ticks100ns{ticks});
  return out;
}

std::string string_of(std::string_view text) {
  std::string out;
  append_string(out, text);
  return out;
}

TEST(JsonText_OfTimes, HasSevenDecimals) {
  EXPECT_EQ(time_of(128315796986148066), "\"2007-08-14T15:41:38.6148066Z\"");
  EXPECT_EQ(time_of(kUnixEpoch100ns), "\"1970-01-01T00:00:00.0000000Z\"");
  EXPECT_EQ(time_of(0), "\"1601-01-01T00:00:00.0000000Z\"");
  EXPECT_EQ(time_of(kUnixEpoch100ns - 1), "\"1969-12-31T23:59:59.9999999Z\"");
  EXPECT_EQ(time_of(kUnixEpoch100ns + 9'999'999), "\"1970-01-01T00:00:00.9999999Z\"");
  EXPECT_EQ(time_of(kUnixEpoch100ns + 10'000'000), "\"1970-01-01T00:00:01.0000000Z\"");
}

TEST(JsonText_OfImpossibleTimes, IsNull) {
  EXPECT_EQ(time_of(-1), "null");
  EXPECT_EQ(time_of(std::numeric_limits<std::int64_t>::max()), "null");
  // RFC 3339 ends with the year 9999.
  constexpr std::int64_t kYear10000 = 2'650'467'744'000'000'000;
  EXPECT_EQ(time_of(kYear10000 - 1), "\"9999-12-31T23:59:59.9999999Z\"");
  EXPECT_EQ(time_of(kYear10000), "null");
}

TEST(JsonText_OfAnyBytes, IsValidJson) {
  std::string all;
  for (int byte = 0; byte < 256; ++byte) all += static_cast<char>(byte);
  const auto parsed = nlohmann::json::parse(string_of(all));
  EXPECT_EQ(parsed.get<std::string>().substr(0, 128), all.substr(0, 128));
  EXPECT_EQ(string_of("a\"\\\n\xC3\xBC"), "\"a\\\"\\\\\\u000a\xC3\xBC\"");
}

TEST(JsonText_OfNumbers, IsExactOrNull) {
  std::string out;
  append_value(out, std::uint64_t{18446744073709551615U});
  out += ' ';
  append_number(out, 0.1);
  out += ' ';
  append_number(out, std::numeric_limits<double>::quiet_NaN());
  EXPECT_EQ(out, "18446744073709551615 0.1 null");
}

}  // namespace
}  // namespace winperf::json
