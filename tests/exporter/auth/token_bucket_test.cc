#include "exporter/auth/address_limits.h"

#include <gtest/gtest.h>

namespace winperf {
namespace {

using std::chrono::milliseconds;

int taken(TokenBucket& bucket, TokenBucket::Time now) {
  int count = 0;
  while (count < 100 && bucket.take(now)) ++count;
  return count;
}

TEST(TokenBucket, LetsABurstThroughAndThenOneEachInterval) {
  TokenBucket bucket(milliseconds(100), 3);
  TokenBucket::Time now(std::chrono::hours(5));
  EXPECT_EQ(taken(bucket, now), 3);
  EXPECT_EQ(taken(bucket, now + milliseconds(99)), 0);
  EXPECT_EQ(taken(bucket, now + milliseconds(100)), 1);
  EXPECT_EQ(taken(bucket, now + milliseconds(350)), 2);
  EXPECT_EQ(taken(bucket, now + milliseconds(399)), 0);
  EXPECT_EQ(taken(bucket, now + milliseconds(400)), 1);
  EXPECT_EQ(taken(bucket, now + std::chrono::hours(1)), 3);
}

TEST(TokenBucket, WithoutAnIntervalLimitsNothingAndWithoutABurstEverything) {
  TokenBucket open(milliseconds(0), 0);
  EXPECT_EQ(taken(open, {}), 100);
  TokenBucket closed(milliseconds(1), 0);
  EXPECT_EQ(taken(closed, TokenBucket::Time(std::chrono::hours(1))), 0);
}

TEST(TokenBucket, TakesBackNoMoreThanItHolds) {
  TokenBucket bucket(milliseconds(100), 2);
  const TokenBucket::Time now(std::chrono::hours(5));
  EXPECT_TRUE(bucket.take(now));
  for (int i = 0; i < 5; ++i) bucket.give_back();
  EXPECT_EQ(taken(bucket, now), 2);
}

}  // namespace
}  // namespace winperf
