#include "service/console/human_number.h"

#include <gtest/gtest.h>

#include <limits>
#include <string>

namespace winperf {
namespace {

TEST(HumanNumber, BytesAreInTheLargestUnitOfWhichThereIsOne) {
  EXPECT_EQ(human_bytes(0), "0 B");
  EXPECT_EQ(human_bytes(1023), "1023 B");
  EXPECT_EQ(human_bytes(1024), "1 KiB");
  EXPECT_EQ(human_bytes(1536), "1.5 KiB");
  EXPECT_EQ(human_bytes(6691321933), "6.23 GiB");
  EXPECT_EQ(human_bytes(1048575), "1 MiB") << "not 1024 KiB";
  EXPECT_EQ(human_bytes(-2048), "-2 KiB");
  EXPECT_EQ(human_bytes(18446744073709551615.0), "16 EiB");
}

TEST(HumanNumber, SecondsAreInTwoUnits) {
  EXPECT_EQ(human_seconds(0), "0 s");
  EXPECT_EQ(human_seconds(1.5), "1.5 s");
  EXPECT_EQ(human_seconds(119), "119 s");
  EXPECT_EQ(human_seconds(125), "2 min 5 s");
  EXPECT_EQ(human_seconds(3600), "1 h");
  EXPECT_EQ(human_seconds(1051240), "12 d 4 h");
  EXPECT_EQ(human_seconds(-5), "-5 s");
}

TEST(HumanNumber, NumbersHaveSeparatorsAndFewDigits) {
  EXPECT_EQ(human_number(0), "0");
  EXPECT_EQ(human_number(-0.001), "-0.001");
  EXPECT_EQ(human_number(0.004217), "0.0042");
  EXPECT_EQ(human_number(12.346), "12.35");
  EXPECT_EQ(human_number(5), "5");
  EXPECT_EQ(human_number(999.999), "1000");
  EXPECT_EQ(human_number(6691321933), "6,691,321,933");
  EXPECT_EQ(human_number(-1234), "-1,234");
  EXPECT_EQ(human_number(1e300), "1e+300");
  EXPECT_EQ(human_number(std::numeric_limits<double>::infinity()), "inf");
}

}  // namespace
}  // namespace winperf
