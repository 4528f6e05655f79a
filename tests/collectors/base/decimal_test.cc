#include "collectors/base/decimal.h"

#include <gtest/gtest.h>

#include <cstdint>

namespace winperf {
namespace {

TEST(WholeDecimal, IsTheNumberThatTheTextIs) {
  EXPECT_EQ(whole_decimal<std::uint32_t>("0"), 0U);
  EXPECT_EQ(whole_decimal<std::uint32_t>("007"), 7U);
  EXPECT_EQ(whole_decimal<std::uint32_t>("4294967295"), 4294967295U);
  EXPECT_EQ(whole_decimal<std::uint64_t>("18446744073709551615"), 18446744073709551615U);
}

TEST(WholeDecimal, IsNothingElse) {
  for (const char* const text : {"", " 1", "1 ", "1x", "x1", "-1", "+1", "0x1", "1.0"})
    EXPECT_EQ(whole_decimal<std::uint32_t>(text), std::nullopt) << text;
  EXPECT_EQ(whole_decimal<std::uint32_t>("4294967296"), std::nullopt);
  EXPECT_EQ(whole_decimal<std::uint64_t>("18446744073709551616"), std::nullopt);
}

}  // namespace
}  // namespace winperf
