#include "collectors/wire/byte_view.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

namespace winperf {
namespace {

constexpr std::uint64_t kHuge = std::numeric_limits<std::uint64_t>::max();

std::vector<std::byte> counting(std::size_t size) {
  std::vector<std::byte> bytes;
  for (std::size_t i = 0; i < size; ++i) bytes.push_back(static_cast<std::byte>(i + 1));
  return bytes;
}

TEST(ByteView, ReadsLittleEndianAtAnyAlignment) {
  const auto bytes = counting(9);
  const ByteView view(bytes, "test");
  EXPECT_EQ(view.read<std::uint16_t>(0), 0x0201);
  EXPECT_EQ(view.read<std::uint32_t>(1), 0x05040302U);
  EXPECT_EQ(view.read<std::uint64_t>(1), 0x0908070605040302U);
}

TEST(ByteView, ReadsTheLastBytesAndNotOneMore) {
  const auto bytes = counting(8);
  const ByteView view(bytes, "test");
  EXPECT_TRUE(view.read<std::uint32_t>(4));
  const auto outside = view.read<std::uint32_t>(5);
  ASSERT_FALSE(outside);
  EXPECT_EQ(
      outside.error(),
      (Error{
          .code = ErrorCode::kTruncated, .where = "test", .offset = 5, .actual = 9, .limit = 8}));
}

TEST(ByteView, OffsetsThatWouldOverflowAreOutside) {
  const auto bytes = counting(8);
  const ByteView view(bytes, "test");
  for (const std::uint64_t offset : {std::uint64_t{8}, std::uint64_t{9}, kHuge - 3, kHuge}) {
    EXPECT_FALSE(view.read<std::uint32_t>(offset)) << offset;
    EXPECT_FALSE(view.holds<std::uint32_t>(offset)) << offset;
    EXPECT_FALSE(view.slice(offset, 1, "part")) << offset;
  }
  EXPECT_FALSE(view.slice(4, kHuge, "part"));
  EXPECT_FALSE(view.slice(4, kHuge - 3, "part"));
  EXPECT_FALSE(view.from(9, "part"));
}

TEST(ByteView, SliceNarrowsAndCarriesItsPlace) {
  const auto bytes = counting(8);
  const ByteView view(bytes, "whole", 100);
  const auto part = view.slice(2, 4, "part");
  ASSERT_TRUE(part);
  EXPECT_EQ(part->size(), 4U);
  EXPECT_EQ(part->offset(), 102U);
  EXPECT_STREQ(part->where(), "part");
  EXPECT_EQ(part->get<std::uint8_t>(0), 3);
  // The neighbour's bytes are there, but not for this view.
  EXPECT_FALSE(part->read<std::uint8_t>(4));
  const auto outside = part->read<std::uint32_t>(2);
  ASSERT_FALSE(outside);
  EXPECT_EQ(outside.error().offset, 104U);
  EXPECT_STREQ(outside.error().where, "part");
}

TEST(ByteView, TheEndIsAPlaceWithoutBytes) {
  const auto bytes = counting(4);
  const ByteView view(bytes, "test");
  const auto end = view.from(4, "end");
  ASSERT_TRUE(end);
  EXPECT_EQ(end->size(), 0U);
  EXPECT_FALSE(end->read<std::uint8_t>(0));
  EXPECT_TRUE(view.slice(4, 0, "nothing"));
}

TEST(ByteView, ReadsAndWritesFieldsByName) {
  constexpr Field<std::uint16_t> kNarrow{1};
  constexpr Field<std::int32_t> kWide{3};
  auto bytes = counting(7);
  const ByteView view(bytes, "test");
  EXPECT_EQ(view.get(kNarrow), 0x0302);
  EXPECT_EQ(view.read(kWide), 0x07060504);
  EXPECT_FALSE(view.read(Field<std::int32_t>{4}));
  put(bytes, kWide, -2);
  EXPECT_EQ(view.get(kWide), -2);
  EXPECT_EQ(view.get(kNarrow), 0x0302) << "the neighbour is as it was";
}

// The bytes after the view are there, so that a build without assertions reads only its own memory.
TEST(ByteViewDeathTest, GetAssertsItsRangeInDebugBuilds) {
  const auto bytes = counting(8);
  const ByteView view(std::span<const std::byte>(bytes).first(4), "test");
  EXPECT_EQ(view.get<std::uint32_t>(0), 0x04030201U);
  EXPECT_DEBUG_DEATH(view.get<std::uint32_t>(1), "holds");
  EXPECT_DEBUG_DEATH(view.get<std::uint8_t>(4), "holds");
}

TEST(ByteView, EmptyViewHasNothingToRead) {
  const ByteView view;
  EXPECT_EQ(view.size(), 0U);
  EXPECT_FALSE(view.read<std::uint8_t>(0));
  EXPECT_TRUE(view.slice(0, 0, "nothing"));
}

}  // namespace
}  // namespace winperf
