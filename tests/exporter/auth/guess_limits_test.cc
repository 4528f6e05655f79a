#include "exporter/auth/guess_limits.h"

#include <gtest/gtest.h>

namespace winperf {
namespace {

using std::chrono::milliseconds;

class GuessLimitsTest : public ::testing::Test {
 protected:
  int taken(const std::string& address) {
    int count = 0;
    while (count < 100 && limits_.take(address, now_)) ++count;
    return count;
  }

  GuessLimits limits_;
  GuessLimits::Time now_{std::chrono::hours(5)};
};

TEST_F(GuessLimitsTest, AreThoseOfEachAddress) {
  EXPECT_EQ(taken("a"), GuessLimits::kWrongAtOnce);
  EXPECT_EQ(taken("b"), GuessLimits::kWrongAtOnce);
  now_ += milliseconds(999);
  EXPECT_EQ(taken("a"), 0);
  now_ += milliseconds(1);
  EXPECT_EQ(taken("a"), 1);
}

TEST_F(GuessLimitsTest, CountWrongPasswordsOnly) {
  for (int i = 0; i < 3 * GuessLimits::kWrongAtOnce; ++i) {
    ASSERT_TRUE(limits_.take("a", now_)) << i;
    limits_.give_back("a");
  }
  limits_.give_back("nobody");
}

TEST_F(GuessLimitsTest, ForgetWhoGuessedLongestAgo) {
  EXPECT_EQ(taken("a"), GuessLimits::kWrongAtOnce);
  now_ += milliseconds(1);
  EXPECT_EQ(taken("b"), GuessLimits::kWrongAtOnce);
  now_ += milliseconds(1);
  for (std::size_t i = 1; i < GuessLimits::kMostAddresses; ++i)
    ASSERT_TRUE(limits_.take(std::to_string(i), now_));
  EXPECT_EQ(taken("b"), 0);
  EXPECT_EQ(taken("a"), GuessLimits::kWrongAtOnce);
}

}  // namespace
}  // namespace winperf
