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
  log.note({.client = logged_client(1), .at = kBegin});
  log.note({.client = logged_client(1), .at = kBegin + seconds(15)});
  log.note({.client = logged_client(2), .at = kBegin + seconds(20)});
  EXPECT_EQ(log.state(kBegin + seconds(30)).clients, 2U);
  EXPECT_EQ(log.state(kBegin + seconds(30)).age_seconds, 10);
  EXPECT_EQ(log.state(kBegin + seconds(15) + minutes(10)).clients, 2U);
  EXPECT_EQ(log.state(kBegin + seconds(16) + minutes(10)).clients, 1U);
  EXPECT_EQ(log.state(kBegin + minutes(20)).clients, 0U);
  EXPECT_EQ(log.state(kBegin + minutes(20)).age_seconds, 1180);
}

TEST(ScrapeLog, TimesThatGoBack_AreNoNegativeAge) {
  ScrapeLog log;
  log.note({.client = logged_client(1), .at = kBegin});
  log.note({.client = logged_client(2), .at = kBegin - seconds(1)});
  EXPECT_EQ(log.state(kBegin - seconds(1)).age_seconds, 0);
  EXPECT_EQ(log.state(kBegin + seconds(1)).age_seconds, 1);
}

TEST(ScrapeLog, KeepsALimitedNumberOfClients) {
  ScrapeLog log;
  for (int i = 0; i < 100; ++i)
    log.note({.client = logged_client(static_cast<std::uint8_t>(i)), .at = kBegin + seconds(i)});
  EXPECT_EQ(log.state(kBegin + seconds(100)).clients, ScrapeLog::kMaxClients);
}

TEST(ScrapeLog, KnowsWhatEachClientAskedForLast) {
  ScrapeLog log;
  log.note({.client = logged_client(1), .at = kBegin, .interval = seconds(30)});
  log.note({.client = logged_client(2), .at = kBegin + seconds(10)});
  log.note({.client = logged_client(1),
            .at = kBegin + seconds(15),
            .interval = seconds(30),
            .user_agent = "Prometheus/3.0",
            .format = PageFormat::kOpenMetrics,
            .is_compressed = true});
  const auto all = log.scrapers({.steady = kBegin + seconds(20), .wall = {1'000'000'000}});
  ASSERT_EQ(all.size(), 2U);
  EXPECT_EQ(all[0].user_agent, "Prometheus/3.0");
  EXPECT_EQ(all[0].age_seconds, 5);
  EXPECT_EQ(all[0].last_scrape, Ticks100ns{950'000'000});
  EXPECT_EQ(all[0].interval_seconds, 15);
  EXPECT_EQ(all[0].scrapes, 2U);
  EXPECT_EQ(all[0].early_scrapes, 1U);
  EXPECT_EQ(all[0].format, "openmetrics");
  EXPECT_TRUE(all[0].is_compressed);
  EXPECT_EQ(all[1].interval_seconds, std::nullopt);
  EXPECT_EQ(all[1].format, "text");
}

}  // namespace
}  // namespace winperf
