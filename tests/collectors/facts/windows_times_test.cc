#include "collectors/facts/machine_texts.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>

namespace winperf {
namespace {

TEST(WindowsTimesTest, FileTime_IsSecondsSince1970) {
  // 2024-02-29 12:34:56.5 UTC, as PowerShell's ToFileTimeUtc() writes it.
  EXPECT_EQ(unix_seconds(133'536'836'965'000'000), 1'709'210'096.5);
  EXPECT_EQ(unix_seconds(116'444'736'010'000'000), 1.0);
}

TEST(WindowsTimesTest, FileTimeThatIsNone_IsNotKnown) {
  EXPECT_EQ(unix_seconds(0), std::nullopt);
  EXPECT_EQ(unix_seconds(116'444'736'000'000'000), std::nullopt);
  EXPECT_EQ(unix_seconds(0x7FFFFFFFFFFFFFFF), std::nullopt);  // LSA: never
  EXPECT_EQ(unix_seconds(std::numeric_limits<std::uint64_t>::max()), std::nullopt);
}

TEST(WindowsTimesTest, Date_IsAFileTime) {
  // Learn, VariantTimeToSystemTime: days since 30 December 1899, with the time of day behind the
  // point. 45351.5 is 2024-02-29 12:00:00.
  const auto noon = file_time_of_date(45'351.5);
  ASSERT_TRUE(noon);
  EXPECT_EQ(unix_seconds(*noon), 1'709'208'000.0);
  // 12:34:56, which has no exact number: it is rounded to the second.
  const auto later = file_time_of_date(45'351.524259259259);
  ASSERT_TRUE(later);
  EXPECT_EQ(unix_seconds(*later), 1'709'210'096.0);
}

TEST(WindowsTimesTest, DateThatIsNone_IsNotKnown) {
  EXPECT_EQ(file_time_of_date(0), std::nullopt);
  EXPECT_EQ(file_time_of_date(36'494), std::nullopt);  // 30 November 1999: it has never run
  EXPECT_EQ(file_time_of_date(-1e300), std::nullopt);
  EXPECT_EQ(file_time_of_date(1e300), std::nullopt);
  EXPECT_EQ(file_time_of_date(std::numeric_limits<double>::quiet_NaN()), std::nullopt);
  EXPECT_EQ(file_time_of_date(std::numeric_limits<double>::infinity()), std::nullopt);
}

}  // namespace
}  // namespace winperf
