#include "collectors/base/hex.h"

#include <gtest/gtest.h>

#include <cstdint>

namespace winperf {
namespace {

TEST(Hex, HasAllDigitsOfItsType) {
  EXPECT_EQ(hex(std::uint32_t{0}), "0x00000000");
  EXPECT_EQ(hex(std::uint32_t{0x00410400}), "0x00410400");
  EXPECT_EQ(hex(std::uint32_t{0xC0000BC6}), "0xc0000bc6");
  EXPECT_EQ(hex(std::uint32_t{0xFFFFFFFF}), "0xffffffff");
  EXPECT_EQ(hex(std::uint16_t{0x14C}), "0x014c");
  EXPECT_EQ(hex(std::uint16_t{0x8664}), "0x8664");
  EXPECT_EQ(hex(std::uint64_t{0x0123456789ABCDEF}), "0x0123456789abcdef");
}

TEST(Hex, InUpperCaseHasTheDigitsAlone) {
  EXPECT_EQ(upper_hex(0xA1B2C3), "A1B2C3");
  EXPECT_EQ(upper_hex(0), "0");
  EXPECT_EQ(upper_hex(0xFFFFFFFF), "FFFFFFFF");
  EXPECT_EQ(upper_hex(0, 3), "000");
  EXPECT_EQ(upper_hex(0x9, 3), "009");
  EXPECT_EQ(upper_hex(0x1234, 3), "1234");
}

}  // namespace
}  // namespace winperf
