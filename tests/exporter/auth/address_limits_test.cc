#include "exporter/auth/password_gate.h"

#include <gtest/gtest.h>

namespace winperf {
namespace {

using std::chrono::milliseconds;

int taken(AddressLimits& limits, AddressLimits::Time now) {
  int count = 0;
  while (count < 100 && limits.take("a", now)) ++count;
  return count;
}

TEST(AddressLimits, LetABurstThroughAndThenOneEachInterval) {
  AddressLimits limits(milliseconds(100), 3);
  AddressLimits::Time now(std::chrono::hours(5));
  EXPECT_EQ(taken(limits, now), 3);
  EXPECT_EQ(taken(limits, now + milliseconds(99)), 0);
  EXPECT_EQ(taken(limits, now + milliseconds(100)), 1);
  EXPECT_EQ(taken(limits, now + milliseconds(350)), 2);
  EXPECT_EQ(taken(limits, now + milliseconds(399)), 0);
  EXPECT_EQ(taken(limits, now + milliseconds(400)), 1);
  EXPECT_EQ(taken(limits, now + std::chrono::hours(1)), 3);
}

TEST(AddressLimits, WithoutAnIntervalLimitNothingAndWithoutABurstEverything) {
  AddressLimits open(milliseconds(0), 0);
  EXPECT_EQ(taken(open, {}), 100);
  AddressLimits closed(milliseconds(1), 0);
  EXPECT_EQ(taken(closed, AddressLimits::Time(std::chrono::hours(1))), 0);
}

TEST(AddressLimits, TakeBackNoMoreThanTheyHold) {
  AddressLimits limits(milliseconds(100), 2);
  const AddressLimits::Time now(std::chrono::hours(5));
  EXPECT_TRUE(limits.take("a", now));
  for (int i = 0; i < 5; ++i) limits.refund("a");
  EXPECT_EQ(taken(limits, now), 2);
}

constexpr int kBurst = 10;

class AddressLimitsTest : public ::testing::Test {
 protected:
  int taken(const std::string& address) {
    int count = 0;
    while (count < 100 && limits_.take(address, now_)) ++count;
    return count;
  }

  AddressLimits limits_{std::chrono::seconds(1), kBurst};
  AddressLimits::Time now_{std::chrono::hours(5)};
};

TEST_F(AddressLimitsTest, AreThoseOfEachAddress) {
  EXPECT_EQ(taken("a"), kBurst);
  EXPECT_EQ(taken("b"), kBurst);
  now_ += milliseconds(999);
  EXPECT_EQ(taken("a"), 0);
  now_ += milliseconds(1);
  EXPECT_EQ(taken("a"), 1);
}

TEST_F(AddressLimitsTest, DoNotCountWhatIsGivenBack) {
  for (int i = 0; i < 3 * kBurst; ++i) {
    ASSERT_TRUE(limits_.take("a", now_)) << i;
    limits_.refund("a");
  }
  limits_.refund("nobody");
}

TEST_F(AddressLimitsTest, ForgetWhoCameLongestAgo) {
  EXPECT_EQ(taken("a"), kBurst);
  now_ += milliseconds(1);
  EXPECT_EQ(taken("b"), kBurst);
  now_ += milliseconds(1);
  for (std::size_t i = 1; i < AddressLimits::kMostAddresses; ++i)
    ASSERT_TRUE(limits_.take(std::to_string(i), now_));
  EXPECT_EQ(taken("b"), 0);
  EXPECT_EQ(taken("a"), kBurst);
}

}  // namespace
}  // namespace winperf
