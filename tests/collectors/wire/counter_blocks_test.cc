#include "collectors/wire/counter_blocks.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <vector>

#include "tests/support/block_builder.h"

namespace winperf {
namespace {

using ::testing::Each;
using ::testing::ElementsAre;

constexpr CounterType kLargeCount{0x00010100}, kCount{0x00010000}, kText{0x00000B00};
constexpr std::size_t kBlockBytes = 24;

// A block that holds its place in each byte.
std::vector<std::byte> block_of(std::size_t bytes) {
  std::vector<std::byte> block(bytes);
  for (std::size_t at = 0; at < bytes; ++at) block[at] = static_cast<std::byte>(at);
  return block;
}

class CounterBlocksTest : public ::testing::Test {
 protected:
  CounterBlocksTest() {
    for (const std::size_t bytes : {kBlockBytes, kBlockBytes, kBlockBytes}) add(bytes);
  }
  void add(std::size_t bytes) {
    bytes_.push_back(block_of(bytes));
    blocks_.clear();
    for (const auto& block : bytes_) blocks_.add(block);
  }
  void read(const CounterDefinition& definition) {
    values_.assign(blocks_.size(), 99);
    reasons_.assign(blocks_.size(), NoValue::kNone);
    blocks_.read(definition, values_, reasons_);
  }

  std::vector<std::vector<std::byte>> bytes_;
  CounterBlocks blocks_;
  std::vector<std::uint64_t> values_;
  std::vector<NoValue> reasons_;
};

TEST_F(CounterBlocksTest, AllHaveTheValueAtItsPlace) {
  read({.type = kCount, .size = 4, .offset = 8});
  EXPECT_THAT(values_, Each(0x0B0A'0908U));
  read({.type = kLargeCount, .size = 8, .offset = 5});
  EXPECT_THAT(values_, Each(0x0C0B'0A09'0807'0605U));
  EXPECT_THAT(reasons_, Each(NoValue::kNone));
}

// Whatever the definition is, each row is what its block alone says.
TEST_F(CounterBlocksTest, EachIsWhatItsBlockSays) {
  add(12);  // too short for some
  for (const CounterType type : {kCount, kLargeCount, kText})
    for (const std::uint32_t size : {0U, 2U, 4U, 8U, 16U})
      for (const std::uint32_t offset :
           {0U, 3U, 4U, 8U, 9U, 16U, 17U, 20U, 21U, 24U, 0xFFFF'FFFFU}) {
        const CounterDefinition definition{.type = type, .size = size, .offset = offset};
        read(definition);
        for (std::size_t row = 0; row < blocks_.size(); ++row) {
          const auto expected = blocks_[row].read(definition);
          EXPECT_EQ(values_[row], expected.value_or(0));
          EXPECT_EQ(reasons_[row], expected ? NoValue::kNone : expected.error());
        }
      }
}

TEST_F(CounterBlocksTest, ABaseThatIsMissingIsTheReasonOfThatRow) {
  add(12);
  reasons_.assign(4, NoValue::kNone);
  reasons_[1] = NoValue::kOutOfBlock;
  values_.assign(4, 99);
  blocks_.read_base({.type = kCount, .size = 4, .offset = 12}, values_, reasons_);
  EXPECT_THAT(values_, ElementsAre(0x0F0E'0D0CU, 0U, 0x0F0E'0D0CU, 0U));
  EXPECT_THAT(reasons_,
              ElementsAre(NoValue::kNone, NoValue::kOutOfBlock, NoValue::kNone, NoValue::kNoBase));
}

TEST_F(CounterBlocksTest, SomeOfThemAreThoseAtThePlaces) {
  add(12);
  CounterBlocks some;
  some.select_from(blocks_, std::array<std::uint32_t, 2>{3, 0});
  ASSERT_EQ(some.size(), 2U);
  EXPECT_EQ(some[0].byte_length(), 12U);
  EXPECT_EQ(some[1].byte_length(), kBlockBytes);
}

}  // namespace
}  // namespace winperf
