#include "collectors/base/back_off.h"

#include <gtest/gtest.h>

namespace winperf {
namespace {

using namespace std::chrono_literals;

TEST(BackOff, DoublesUpToItsLimit) {
  BackOff wait(1s, 5s);
  EXPECT_EQ(wait.length(), 0s);
  EXPECT_EQ(wait.next(), 1s);
  EXPECT_EQ(wait.next(), 2s);
  EXPECT_EQ(wait.length(), 2s);
  EXPECT_EQ(wait.next(), 4s);
  EXPECT_EQ(wait.next(), 5s);
  EXPECT_EQ(wait.next(), 5s);
}

TEST(BackOff, BeginsAnewAfterAReset) {
  BackOff wait(1s, 5s);
  wait.next();
  wait.next();
  wait.reset();
  EXPECT_EQ(wait.length(), 0s);
  EXPECT_EQ(wait.next(), 1s);
}

TEST(BackOff, NeverOverflows) {
  EXPECT_EQ(back_off(1h, 9, 24h * 365), 256h);
  EXPECT_EQ(back_off(1h, 4'000'000'000, 24h * 365), 256h);
  EXPECT_EQ(back_off(10s, 1, 5s), 5s) << "the limit holds at once";
}

}  // namespace
}  // namespace winperf
