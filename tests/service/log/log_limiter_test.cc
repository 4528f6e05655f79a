#include "service/log/logging.h"

#include <gmock/gmock.h>

#include <string>

namespace winperf {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using Suppressed = LogLimiter::Suppressed;

constexpr std::size_t kLimit = 3;

class LogLimiterTest : public ::testing::Test {
 protected:
  // How many of so many lines are admitted.
  std::size_t admitted(std::size_t lines, const std::string& subject = "Memory",
                       Event event = Event::kCountersetFails) {
    std::size_t count = 0;
    for (std::size_t i = 0; i < lines; ++i) count += limiter_.admit(event, subject, now_) ? 1 : 0;
    return count;
  }

  LogLimiter limiter_{kLimit};
  LogLimiter::Time now_{std::chrono::hours(1)};
};

TEST_F(LogLimiterTest, UpToTheLimit_AdmitsEverything) {
  EXPECT_EQ(admitted(kLimit), kLimit);
  now_ += LogLimiter::kWindow;
  EXPECT_THAT(limiter_.ended(now_), IsEmpty());
}

TEST_F(LogLimiterTest, BeyondTheLimit_CountsWhatItKeepsBack) {
  EXPECT_EQ(admitted(10), kLimit);
  EXPECT_THAT(limiter_.ended(now_), IsEmpty()) << "the minute is not over";
  now_ += LogLimiter::kWindow;
  EXPECT_THAT(limiter_.ended(now_), ElementsAre(Suppressed{Event::kCountersetFails, "Memory", 7}));
  EXPECT_THAT(limiter_.ended(now_), IsEmpty()) << "each is returned once";
}

TEST_F(LogLimiterTest, AfterAMinute_BeginsAnew) {
  admitted(10);
  now_ += LogLimiter::kWindow;
  EXPECT_EQ(limiter_.ended(now_).size(), 1u);
  EXPECT_EQ(admitted(10), kLimit);
}

TEST_F(LogLimiterTest, MinuteBegins_WithTheFirstLine) {
  admitted(1);
  now_ += std::chrono::seconds(59);
  EXPECT_EQ(admitted(10), kLimit - 1);
  now_ += std::chrono::seconds(1);
  EXPECT_EQ(limiter_.ended(now_).size(), 1u);
  EXPECT_EQ(admitted(10), kLimit);
}

// A steady clock may begin at any time.
TEST(LogLimiter, TheRest_IsAllWheneverItsMinuteBegan) {
  for (const LogLimiter::Time began : {LogLimiter::Time{}, LogLimiter::Time(std::chrono::hours(1)),
                                       LogLimiter::Time(std::chrono::hours(1'000'000))}) {
    LogLimiter limiter(1);
    EXPECT_TRUE(limiter.admit(Event::kStarted, "", began));
    EXPECT_FALSE(limiter.admit(Event::kStarted, "", began));
    EXPECT_THAT(limiter.rest(), ElementsAre(Suppressed{Event::kStarted, "", 1}));
  }
}

TEST_F(LogLimiterTest, KindsAndSubjects_AreCountedApart) {
  EXPECT_EQ(admitted(10, "Memory"), kLimit);
  EXPECT_EQ(admitted(10, "System"), kLimit);
  EXPECT_EQ(admitted(10, "Memory", Event::kCountersetWorks), kLimit);
  EXPECT_EQ(limiter_.rest().size(), 3u);
  EXPECT_THAT(limiter_.rest(), IsEmpty());
}

TEST_F(LogLimiterTest, WithoutEnd_WritesABoundedNumberOfLines) {
  std::size_t lines = 0;
  std::uint64_t told = 0;
  constexpr std::size_t kTotal = 100'000;
  for (std::size_t i = 0; i < kTotal; ++i) {
    now_ += std::chrono::milliseconds(10);
    for (const Suppressed& suppressed : limiter_.ended(now_)) {
      ++lines;
      told += suppressed.lines;
    }
    lines += admitted(1);
  }
  for (const Suppressed& suppressed : limiter_.rest()) told += suppressed.lines;
  // 1000 seconds are up to 17 minutes.
  EXPECT_LE(lines, 17 * (kLimit + 1));
  EXPECT_EQ(told, kTotal - 17 * kLimit) << "every line is written or counted";
}

TEST_F(LogLimiterTest, AmongManySubjects_ThoseThatAreKnownKeepTheirOwnMinute) {
  for (std::size_t i = 0; i < LogLimiter::kMaxKeys; ++i) admitted(1, std::to_string(i));
  EXPECT_EQ(admitted(10, "0"), kLimit - 1);
  EXPECT_EQ(admitted(10, "another"), kLimit);
  EXPECT_EQ(admitted(10, "one more"), 0U);
  EXPECT_THAT(limiter_.rest(), ElementsAre(Suppressed{Event::kCountersetFails, "", 17},
                                           Suppressed{Event::kCountersetFails, "0", 8}));
}

TEST_F(LogLimiterTest, ManySubjects_ShareOneMinuteInTheEnd) {
  std::size_t count = 0;
  constexpr std::size_t kSubjects = 5 * LogLimiter::kMaxKeys;
  for (std::size_t i = 0; i < kSubjects; ++i) count += admitted(1, std::to_string(i));
  EXPECT_EQ(count, LogLimiter::kMaxKeys + kLimit);
  EXPECT_THAT(limiter_.rest(), ElementsAre(Suppressed{Event::kCountersetFails, "",
                                                      kSubjects - LogLimiter::kMaxKeys - kLimit}));
}

}  // namespace
}  // namespace winperf
