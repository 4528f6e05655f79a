#include "exporter/auth/address_limits.h"

#include <gtest/gtest.h>

namespace winperf {
namespace {

using std::chrono::milliseconds;

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
    limits_.give_back("a");
  }
  limits_.give_back("nobody");
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
