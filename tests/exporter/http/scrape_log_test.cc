#include "exporter/http/scrape_log.h"

#include <gtest/gtest.h>

#include <chrono>
#include <cstdint>

namespace winperf {
namespace {

using std::chrono::minutes;
using std::chrono::seconds;

constexpr SteadyTime kBegin{std::chrono::hours(1)};

NetAddress logged_client(std::uint8_t number) {
  NetAddress address{};
  address.back() = number;
  return address;
}

TEST(ScrapeLog, BeforeTheFirstScrape_HasNoAge) {
  EXPECT_EQ(ScrapeLog().state(kBegin).clients, 0U);
  EXPECT_EQ(ScrapeLog().state(kBegin).age_seconds, std::nullopt);
}

TEST(ScrapeLog, CountsEachClientOnceAndOnlyLately) {
  ScrapeLog log;
  log.note(logged_client(1), kBegin);
  log.note(logged_client(1), kBegin + seconds(15));
  log.note(logged_client(2), kBegin + seconds(20));
  EXPECT_EQ(log.state(kBegin + seconds(30)).clients, 2U);
  EXPECT_EQ(log.state(kBegin + seconds(30)).age_seconds, 10);
  EXPECT_EQ(log.state(kBegin + seconds(15) + minutes(10)).clients, 2U);
  EXPECT_EQ(log.state(kBegin + seconds(16) + minutes(10)).clients, 1U);
  EXPECT_EQ(log.state(kBegin + minutes(20)).clients, 0U);
  EXPECT_EQ(log.state(kBegin + minutes(20)).age_seconds, 1180);
}

TEST(ScrapeLog, TimesThatGoBack_AreNoNegativeAge) {
  ScrapeLog log;
  log.note(logged_client(1), kBegin);
  log.note(logged_client(2), kBegin - seconds(1));
  EXPECT_EQ(log.state(kBegin - seconds(1)).age_seconds, 0);
  EXPECT_EQ(log.state(kBegin + seconds(1)).age_seconds, 1);
}

TEST(ScrapeLog, KeepsALimitedNumberOfClients) {
  ScrapeLog log;
  for (int i = 0; i < 100; ++i)
    log.note(logged_client(static_cast<std::uint8_t>(i)), kBegin + seconds(i));
  EXPECT_EQ(log.state(kBegin + seconds(100)).clients, ScrapeLog::kMaxClients);
}

}  // namespace
}  // namespace winperf
