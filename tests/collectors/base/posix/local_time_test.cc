#include "collectors/base/local_time.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <ctime>
#include <string>

namespace winperf {
namespace {

// In Central European time, by a rule that needs no file of zones.
class LocalTime : public ::testing::Test {
 protected:
  void SetUp() override {
    if (const char* const zone = std::getenv("TZ")) before_ = zone;
    set("CET-1CEST,M3.5.0,M10.5.0/3");
  }
  void TearDown() override {
    if (before_.empty())
      unsetenv("TZ");
    else
      set(before_);
    tzset();
  }

 private:
  static void set(const std::string& zone) {
    setenv("TZ", zone.c_str(), 1);
    tzset();
  }
  std::string before_;
};

constexpr Ticks100ns at(std::int64_t unix_seconds) {
  return {unix_seconds * kTicks100nsPerSecond + kUnixEpoch100ns};
}

TEST_F(LocalTime, IsAheadOfUtcByTheZoneAndBySummer) {
  EXPECT_EQ(utc_offset(at(1'768'478'400)), std::chrono::hours(1));  // 2026-01-15
  EXPECT_EQ(utc_offset(at(1'784'116'800)), std::chrono::hours(2));  // 2026-07-15
}

}  // namespace
}  // namespace winperf
