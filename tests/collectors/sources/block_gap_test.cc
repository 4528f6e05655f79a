#include "collectors/sources/query_policy.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <string_view>
#include <vector>

namespace winperf {
namespace {

constexpr std::size_t kHeader = 96;
constexpr std::size_t kObjects = 40;
constexpr std::size_t kBlock = kHeader + kObjects;

void put_u32(std::vector<std::byte>& bytes, std::size_t offset, std::uint32_t value) {
  for (std::size_t i = 0; i < 4; ++i) bytes.at(offset + i) = std::byte(value >> (8 * i) & 0xFF);
}

// A block of one object whose bytes are 1, 2, 3, ..., in a buffer with `tail` bytes of room after
// what the system counts.
std::vector<std::byte> block(bool gap, std::size_t tail) {
  std::vector<std::byte> bytes(kBlock + tail);
  const std::string_view signature("P\0E\0R\0F\0", 8);
  for (std::size_t i = 0; i < signature.size(); ++i) bytes[i] = std::byte(signature[i]);
  put_u32(bytes, 20, kBlock);
  put_u32(bytes, 24, kHeader);
  put_u32(bytes, 28, 1);
  const std::size_t first = kHeader + (gap ? kBlockGapBytes : 0);
  for (std::size_t i = 0; i < kObjects && first + i < bytes.size(); ++i)
    bytes[first + i] = std::byte(i + 1);
  return bytes;
}

TEST(BlockGap, IsClosed) {
  std::vector<std::byte> bytes = block(true, kBlockGapBytes + 8);
  EXPECT_TRUE(close_block_gap(bytes, kBlock));
  EXPECT_EQ(bytes, block(false, kBlockGapBytes + 8));
}

TEST(BlockGap, IsClosedOnce) {
  std::vector<std::byte> bytes = block(true, kBlockGapBytes);
  EXPECT_TRUE(close_block_gap(bytes, kBlock));
  EXPECT_FALSE(close_block_gap(bytes, kBlock));
  EXPECT_EQ(bytes, block(false, kBlockGapBytes));
}

TEST(BlockGap, LeavesACorrectBlockAlone) {
  std::vector<std::byte> bytes = block(false, kBlockGapBytes);
  EXPECT_FALSE(close_block_gap(bytes, kBlock));
  EXPECT_EQ(bytes, block(false, kBlockGapBytes));
}

TEST(BlockGap, LeavesABlockAloneWhenAnyByteOfTheGapIsSet) {
  for (const std::size_t at : {std::size_t{0}, kBlockGapBytes / 2, kBlockGapBytes - 1}) {
    std::vector<std::byte> bytes = block(true, kBlockGapBytes);
    bytes[kHeader + at] = std::byte{1};
    const std::vector<std::byte> before = bytes;
    EXPECT_FALSE(close_block_gap(bytes, kBlock)) << at;
    EXPECT_EQ(bytes, before) << at;
  }
}

TEST(BlockGap, LeavesABlockWithoutObjectsAlone) {
  std::vector<std::byte> bytes = block(true, kBlockGapBytes);
  put_u32(bytes, 28, 0);
  EXPECT_FALSE(close_block_gap(bytes, kBlock));
}

TEST(BlockGap, NeedsTheSlackBehindTheBlock) {
  for (std::size_t tail = 0; tail < kBlockGapBytes; ++tail) {
    std::vector<std::byte> bytes = block(true, tail);
    const std::vector<std::byte> before = bytes;
    EXPECT_FALSE(close_block_gap(bytes, kBlock)) << tail;
    EXPECT_EQ(bytes, before) << tail;
  }
}

TEST(BlockGap, RefusesEverySizeButTheTrueOne) {
  for (std::size_t size = 0; size < kBlock + 3 * kBlockGapBytes; ++size) {
    std::vector<std::byte> bytes = block(true, kBlockGapBytes);
    EXPECT_EQ(close_block_gap(bytes, size), size == kBlock) << size;
  }
}

TEST(BlockGap, RefusesSpoiledHeaderFields) {
  for (const std::size_t field : {std::size_t{0}, std::size_t{4}, std::size_t{20}, std::size_t{24}})
    for (const std::uint32_t value : {0U, 1U, 87U, 0x7FFFFFFFU, 0x80000000U, 0xFFFFFFFFU}) {
      std::vector<std::byte> bytes = block(true, kBlockGapBytes);
      put_u32(bytes, field, value);
      const std::vector<std::byte> before = bytes;
      EXPECT_FALSE(close_block_gap(bytes, kBlock)) << field << ' ' << value;
      EXPECT_EQ(bytes, before) << field << ' ' << value;
    }
}

TEST(BlockGap, TakesAHeaderUpToTheLastByteAndNoFurther) {
  std::vector<std::byte> bytes = block(true, kBlockGapBytes);
  for (std::size_t i = kHeader; i < bytes.size(); ++i) bytes[i] = std::byte{0};
  put_u32(bytes, 24, kBlock - 1);
  EXPECT_TRUE(close_block_gap(bytes, kBlock));
  put_u32(bytes, 24, kBlock);
  EXPECT_FALSE(close_block_gap(bytes, kBlock));
}

TEST(BlockGap, RefusesAnEmptyBuffer) { EXPECT_FALSE(close_block_gap({}, 0)); }

}  // namespace
}  // namespace winperf
