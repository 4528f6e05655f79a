#include "collectors/recorder/bits.h"

#include <gtest/gtest.h>

#include <limits>
#include <random>

namespace winperf::recorder {
namespace {

constexpr std::uint64_t kMost = std::numeric_limits<std::uint64_t>::max();

TEST(Bits, NumbersOfAllWidthsAreReadBack) {
  for (unsigned low = 0; low < kWordBits; ++low) {
    BitWriter out;
    for (unsigned width = 0; width < kWordBits; ++width) {
      out.number(std::uint64_t{1} << width, low);
      out.number((std::uint64_t{1} << width) - 1, low);
    }
    out.number(kMost, low);
    out.align();
    BitReader in(out.bytes());
    for (unsigned width = 0; width < kWordBits; ++width) {
      EXPECT_EQ(in.number(low), std::uint64_t{1} << width) << low;
      EXPECT_EQ(in.number(low), (std::uint64_t{1} << width) - 1) << low;
    }
    EXPECT_EQ(in.number(low), kMost) << low;
    EXPECT_FALSE(in.failed());
    EXPECT_LT(in.bits_left(), 8u);
  }
}

TEST(Bits, AnyBitsAreReadBack) {
  std::mt19937_64 random(1);
  BitWriter out;
  std::vector<std::pair<std::uint64_t, unsigned>> all;
  for (int i = 0; i < 3'000; ++i) {
    const auto count = static_cast<unsigned>(random() % (kWordBits + 1));
    all.emplace_back(lowest_bits(random(), count), count);
    out.bits(all.back().first, count);
  }
  out.align();
  BitReader in(out.bytes());
  for (const auto& [value, count] : all) ASSERT_EQ(in.bits(count), value);
  EXPECT_FALSE(in.failed());
}

TEST(Bits, ASmallNumberTakesABitAndItsLowBits) {
  BitWriter out;
  for (int i = 0; i < 4; ++i) out.number(1, 1);
  out.align();
  EXPECT_EQ(out.bytes().size(), 1u);
}

TEST(Bits, NothingIsReadAfterTheEnd) {
  BitWriter out;
  out.number(1000, 3);
  out.align();
  for (std::size_t size = 0; size < out.bytes().size(); ++size) {
    BitReader in(std::span(out.bytes()).first(size));
    EXPECT_EQ(in.number(3), 0u);
    EXPECT_TRUE(in.failed());
    EXPECT_EQ(in.bits(1), 0u);
    EXPECT_TRUE(in.failed());
  }
}

TEST(Bits, ANumberOfMoreThan64BitsIsDamage) {
  const std::vector<std::byte> ones(40, std::byte{0xFF});
  BitReader in(ones);
  EXPECT_EQ(in.number(1), 0u);
  EXPECT_TRUE(in.failed());
}

}  // namespace
}  // namespace winperf::recorder
