#include "collectors/provider/provider_source.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "collectors/wire/block_view.h"
#include "collectors/wire/v1_format.h"
#include "tests/support/block_builder.h"

namespace winperf {
namespace {

using ::testing::ElementsAreArray;

// The reference is the tests' own builder of blocks, which the parser's tests hold.
TEST(BlockHead, IsThatOfTheSystem) {
  for (const std::u16string name : {u"A", u"HOST-01", u"FIFTEEN-LETTERS"}) {
    const testing::ByteVector expected = testing::BlockBuilder()
                                             .computer_name(name)
                                             .perf_time({12'345}, {10'000'000})
                                             .time_100ns({133'716'612'800'215'149})
                                             .bytes();
    std::vector<std::byte> block(block_head_bytes(name), std::byte{0xEE});
    ASSERT_EQ(block.size(), expected.size());
    write_block_head(
        block,
        {.perf_time = 12'345, .perf_frequency = 10'000'000, .time_100ns = 133'716'612'800'215'149},
        name, 0);
    EXPECT_EQ(block, expected);
  }
}

TEST(BlockHead, CountsItsObjectsAndAllItsBytes) {
  const std::size_t head = block_head_bytes(u"PC");
  std::vector<std::byte> block(head + 100);
  write_block_head(block, {}, u"PC", 3);
  const auto parsed = BlockView::parse(block);
  ASSERT_TRUE(parsed);
  EXPECT_EQ(parsed->object_count(), 3U);
  EXPECT_EQ(parsed->byte_length(), head + 100);
}

// 2024-09-24 00:00:00 and 345 ms, a Tuesday.
TEST(BlockHead, SaysTheTimeInWords) {
  std::vector<std::byte> block(block_head_bytes(u""));
  write_block_head(block, {.time_100ns = 133'716'096'000'000'000 + 3'450'000}, u"", 0);
  std::array<std::uint16_t, 8> time{};
  std::memcpy(time.data(), block.data() + v1::block::kSystemTime, sizeof time);
  EXPECT_THAT(time, ElementsAreArray({2024, 9, 2, 24, 0, 0, 0, 345}));
  write_block_head(block, {.time_100ns = 133'716'096'000'000'000 + 863'999'990'000}, u"", 0);
  std::memcpy(time.data(), block.data() + v1::block::kSystemTime, sizeof time);
  EXPECT_THAT(time, ElementsAreArray({2024, 9, 2, 24, 23, 59, 59, 999}));
}

}  // namespace
}  // namespace winperf
