#include "exporter/http/http_date.h"

#include <gtest/gtest.h>

namespace winperf {
namespace {

std::string at(std::int64_t unix_seconds, int milliseconds = 0) {
  return http_date(std::chrono::system_clock::time_point(std::chrono::seconds(unix_seconds) +
                                                         std::chrono::milliseconds(milliseconds)));
}

TEST(HttpDate, IsWrittenAsTheRfcDoes) {
  EXPECT_EQ(at(784'111'777), "Sun, 06 Nov 1994 08:49:37 GMT");
  EXPECT_EQ(at(784'111'777, 999), "Sun, 06 Nov 1994 08:49:37 GMT");
  EXPECT_EQ(at(0), "Thu, 01 Jan 1970 00:00:00 GMT");
}

TEST(HttpDate, KnowsEveryDayOfTheWeekAndEveryMonth) {
  EXPECT_EQ(at(1'709'164'800), "Thu, 29 Feb 2024 00:00:00 GMT");
  EXPECT_EQ(at(1'711'929'599), "Sun, 31 Mar 2024 23:59:59 GMT");
  EXPECT_EQ(at(1'711'929'600), "Mon, 01 Apr 2024 00:00:00 GMT");
  EXPECT_EQ(at(1'715'080'000), "Tue, 07 May 2024 11:06:40 GMT");
  EXPECT_EQ(at(1'717'600'000), "Wed, 05 Jun 2024 15:06:40 GMT");
  EXPECT_EQ(at(1'721'390'000), "Fri, 19 Jul 2024 11:53:20 GMT");
  EXPECT_EQ(at(1'722'700'000), "Sat, 03 Aug 2024 15:46:40 GMT");
  EXPECT_EQ(at(1'725'148'800), "Sun, 01 Sep 2024 00:00:00 GMT");
  EXPECT_EQ(at(1'728'000'000), "Fri, 04 Oct 2024 00:00:00 GMT");
  EXPECT_EQ(at(1'733'011'200), "Sun, 01 Dec 2024 00:00:00 GMT");
}

}  // namespace
}  // namespace winperf
