// Clients that scrape more often than a counterset is sampled.
#include "exporter/http/scrape_log.h"

#include <gtest/gtest.h>

namespace winperf {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

class ScrapeWatchTest : public ::testing::Test {
 protected:
  ScrapeVerdict after(milliseconds time, std::uint8_t client = 1,
                      milliseconds interval = seconds(10)) {
    now_ += time;
    return log_.note({.client = {client}, .at = now_, .interval = interval});
  }

  SteadyTime now_{seconds(1000)};
  ScrapeLog log_;
};

TEST_F(ScrapeWatchTest, AScrapeIsEarlyIfTheLastOneWasLessThanAnIntervalAgo) {
  EXPECT_FALSE(after(seconds(0)).is_early) << "the first one";
  EXPECT_TRUE(after(milliseconds(8999)).is_early);
  EXPECT_FALSE(after(milliseconds(9000)).is_early) << "scrapers are not exact";
  EXPECT_FALSE(after(seconds(60)).is_early);
  EXPECT_TRUE(after(seconds(0)).is_early);
  EXPECT_FALSE(after(seconds(0), 2).is_early) << "another client";
}

TEST_F(ScrapeWatchTest, WithoutAnInterval_NothingIsEarly) {
  for (int i = 0; i < 5; ++i) EXPECT_FALSE(after(milliseconds(-1), 1, seconds(0)).is_early);
}

TEST_F(ScrapeWatchTest, AHabitIsSaidOnce) {
  after(seconds(0));
  EXPECT_EQ(after(seconds(5)).habit, std::nullopt);
  EXPECT_EQ(after(seconds(5)).habit, std::nullopt);
  EXPECT_EQ(after(seconds(4)).habit, seconds(4));
  for (int i = 0; i < 10; ++i) EXPECT_EQ(after(seconds(5)).habit, std::nullopt);
}

// Such as two programs behind one address.
TEST_F(ScrapeWatchTest, ScrapesAtTheSameTimeAreAHabitToo) {
  for (int i = 0; i < 3; ++i) EXPECT_EQ(after(seconds(0)).habit, std::nullopt);
  EXPECT_EQ(after(seconds(0)).habit, seconds(0));
}

TEST_F(ScrapeWatchTest, TimeThatRunsBackwardsIsNone) {
  for (int i = 0; i < 3; ++i) after(seconds(0));
  EXPECT_EQ(after(seconds(-2)).habit, seconds(0));
  EXPECT_TRUE(after(seconds(10)).is_early) << "eight after the latest one";
}

TEST_F(ScrapeWatchTest, AScrapeInTimeEndsTheRow) {
  after(seconds(0));
  for (int i = 0; i < 5; ++i) {
    EXPECT_EQ(after(seconds(5)).habit, std::nullopt);
    EXPECT_EQ(after(seconds(5)).habit, std::nullopt);
    EXPECT_FALSE(after(seconds(10)).is_early);
  }
}

TEST_F(ScrapeWatchTest, TheClientThatWasSeenLeastRecentlyIsForgotten) {
  for (std::size_t i = 1; i <= ScrapeLog::kMaxClients; ++i)
    after(milliseconds(1), static_cast<std::uint8_t>(i));
  EXPECT_TRUE(after(milliseconds(1), 1).is_early);
  after(milliseconds(1), 200);
  EXPECT_TRUE(after(milliseconds(1), 1).is_early);
  EXPECT_FALSE(after(milliseconds(1), 2).is_early) << "it is as if it were new";
}

}  // namespace
}  // namespace winperf
