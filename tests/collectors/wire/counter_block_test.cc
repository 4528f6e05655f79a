#include <gtest/gtest.h>

#include "collectors/wire/block_view.h"
#include "tests/support/block_builder.h"
#include "tests/support/byte_writer.h"

namespace winperf {
namespace {

using testing::BlockBuilder;
using testing::BuiltBlock;
using testing::ByteVector;
using testing::ByteWriter;
using testing::ObjectBuilder;

constexpr CounterType kRawCount{0x00010000};
constexpr CounterType kLargeRawCount{0x00010100};
constexpr CounterType kAverageTimer{0x30020400};

// 24 bytes: 0xF0E0D0C0 at 4, 0x8877665544332211 at 8, 0xFFFFFFFFFFFFFFFF at 16.
ByteVector block_bytes() {
  ByteWriter out;
  out.put(std::uint32_t{24}).put(std::uint32_t{0xF0E0D0C0});
  out.put(std::uint64_t{0x8877665544332211}).put(~std::uint64_t{0});
  return std::move(out).take();
}

std::expected<std::uint64_t, NoValue> read(CounterType type, std::uint32_t size,
                                           std::uint32_t offset) {
  const ByteVector bytes = block_bytes();
  const auto block = CounterBlockView::parse(ByteView(bytes, "test"));
  EXPECT_TRUE(block);
  return block->read({.type = type, .size = size, .offset = offset});
}

TEST(CounterBlock, ReadsByTheSizeOfTheDefinitionWhateverTheTypeSays) {
  EXPECT_EQ(read(kRawCount, 4, 4), 0xF0E0D0C0U) << "zero-extended";
  EXPECT_EQ(read(kLargeRawCount, 8, 8), 0x8877665544332211U);
  EXPECT_EQ(read(kAverageTimer, 8, 8), 0x8877665544332211U) << "the type says 4 bytes";
  EXPECT_EQ(read(kLargeRawCount, 4, 8), 0x44332211U) << "the type says 8 bytes";
  EXPECT_EQ(read(kLargeRawCount, 8, 16), ~std::uint64_t{0});
}

TEST(CounterBlock, ReadsAtAnyAlignment) { EXPECT_EQ(read(kRawCount, 4, 9), 0x55443322U); }

TEST(CounterBlock, ReadsUpToItsLastByte) {
  EXPECT_TRUE(read(kRawCount, 4, 20));
  EXPECT_TRUE(read(kLargeRawCount, 8, 16));
}

TEST(CounterBlock, ACounterOutsideTheBlockHasNoValue) {
  for (const std::uint32_t offset : {21U, 24U, 25U, 0x7FFFFFFFU, 0xFFFFFFFCU, 0xFFFFFFFFU})
    EXPECT_EQ(read(kRawCount, 4, offset), std::unexpected(NoValue::kOutOfBlock)) << offset;
  EXPECT_EQ(read(kLargeRawCount, 8, 17), std::unexpected(NoValue::kOutOfBlock));
}

TEST(CounterBlock, TheBlocksOwnLengthIsNoValue) {
  for (const std::uint32_t offset : {0U, 3U})
    EXPECT_EQ(read(kRawCount, 4, offset), std::unexpected(NoValue::kOutOfBlock)) << offset;
}

TEST(CounterBlock, OtherSizesHaveNoValue) {
  for (const std::uint32_t size : {0U, 1U, 2U, 3U, 5U, 12U, 16U, 0xFFFFFFFFU})
    EXPECT_EQ(read(kRawCount, size, 8), std::unexpected(NoValue::kBadSize)) << size;
}

TEST(CounterBlock, TypesWithoutANumberHaveNoValueWhateverTheirSize) {
  // PERF_COUNTER_TEXT, PERF_COUNTER_NODATA, and the kind ZERO.
  for (const std::uint32_t type : {0x00000B00U, 0x40000200U, 0x00000C00U})
    for (const std::uint32_t size : {0U, 4U, 8U, 20U})
      EXPECT_EQ(read(CounterType{type}, size, 8), std::unexpected(NoValue::kNotNumeric))
          << type << " " << size;
}

TEST(CounterBlock, ItsLengthIsBoundedByTheBytes) {
  const ByteVector bytes = block_bytes();
  for (const std::uint32_t length : {0U, 1U, 3U, 25U, 0x7FFFFFFFU, 0xFFFFFFFFU}) {
    const ByteVector spoilt = testing::with_field(bytes, 0, length);
    EXPECT_FALSE(CounterBlockView::parse(ByteView(spoilt, "test"))) << length;
  }
  const ByteVector smallest = testing::with_field(bytes, 0, 4);
  const auto block = CounterBlockView::parse(ByteView(smallest, "test"));
  ASSERT_TRUE(block);
  // The bytes go on after the block, but don't belong to it.
  EXPECT_EQ(block->read({.type = kRawCount, .size = 4, .offset = 4}),
            std::unexpected(NoValue::kOutOfBlock));
}

TEST(SingleObject, HasOneBlock) {
  const ByteVector bytes =
      BlockBuilder().add(ObjectBuilder(2).counter({.index = 10}).single({77})).bytes();
  const auto object = *BlockView::parse(bytes)->objects().next();
  ASSERT_TRUE(object);
  EXPECT_FALSE(object->multi_instance());
  const auto block = object->single_block();
  ASSERT_TRUE(block) << describe(block.error());
  EXPECT_EQ(block->read(object->counters().all.at(0)), 77U);
  EXPECT_FALSE(object->instances().next());
}

TEST(SingleObject, WithoutABlockIsAnError) {
  const BuiltBlock built =
      BlockBuilder().add(ObjectBuilder(2).counter({.index = 10}).single({77})).build();
  const auto object = built.objects[0];
  const auto length = static_cast<std::uint32_t>(object.block_offset - object.offset);
  const ByteVector bytes = built.with(object.offset, length);
  const auto view = *BlockView::parse(bytes)->objects().next();
  ASSERT_TRUE(view);
  const auto block = view->single_block();
  ASSERT_FALSE(block);
  EXPECT_EQ(block.error().code, ErrorCode::kTruncated);
  EXPECT_EQ(block.error().offset, object.block_offset);
}

}  // namespace
}  // namespace winperf
