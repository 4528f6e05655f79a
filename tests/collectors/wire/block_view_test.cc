#include "collectors/wire/block_view.h"

#include <gtest/gtest.h>

#include <vector>

#include "collectors/wire/v1_format.h"
#include "tests/support/block_builder.h"

namespace winperf {
namespace {

using testing::BlockBuilder;
using testing::BuiltBlock;
using testing::ByteVector;
using testing::ObjectBuilder;

ObjectBuilder object(std::uint32_t index) {
  return ObjectBuilder(index).counter({.index = index + 2}).single({index});
}

BuiltBlock three_objects() {
  return BlockBuilder().add(object(2)).add(object(4)).add(object(238)).build();
}

struct WalkedObjects {
  std::vector<std::uint32_t> indices;
  std::vector<Error> errors;
};

WalkedObjects walk_objects(const ByteVector& bytes, const ParseLimits& limits = {}) {
  WalkedObjects walked;
  const auto block = BlockView::parse(bytes, limits);
  EXPECT_TRUE(block) << describe(block.error());
  if (!block) return walked;
  ObjectWalk objects = block->objects();
  while (const auto next = objects.next()) {
    if (*next) walked.indices.push_back(value_of((*next)->index()));
    if (!*next) walked.errors.push_back(next->error());
  }
  EXPECT_FALSE(objects.next()) << "the walk stays at its end";
  return walked;
}

using Indices = std::vector<std::uint32_t>;

TEST(BlockView, ReadsTheHeader) {
  const auto bytes = BlockBuilder()
                         .perf_time({7'178'903'079}, {3'579'545})
                         .time_100ns({128'315'940'386'596'596})
                         .computer_name(u"SERVER-\u00dc")
                         .add(object(2))
                         .bytes();
  const auto block = BlockView::parse(bytes);
  ASSERT_TRUE(block) << describe(block.error());
  const Clocks expected{.perf_time = {7'178'903'079},
                        .perf_frequency = {3'579'545},
                        .time_100ns = {128'315'940'386'596'596},
                        .object_time = {},
                        .object_frequency = {}};
  EXPECT_EQ(block->clocks(), expected);
  EXPECT_EQ(block->computer_name(), "SERVER-\xC3\x9C");
  EXPECT_EQ(block->object_count(), 1U);
  EXPECT_EQ(block->byte_length(), bytes.size());
}

TEST(BlockView, RefusesAHeaderThatIsNotSound) {
  struct Row {
    const char* what;
    std::size_t offset;
    std::uint32_t value;
    ErrorCode code;
  };
  const BuiltBlock built = three_objects();
  const auto size = static_cast<std::uint32_t>(built.bytes.size());
  const Row rows[] = {
      {"signature", v1::block::kSignature, 0x00450051, ErrorCode::kBadSignature},
      {"second half of the signature", v1::block::kSignature + 4, 0, ErrorCode::kBadSignature},
      {"big endian", v1::block::kLittleEndian, 0, ErrorCode::kBadVersion},
      {"version 0", v1::block::kVersion, 0, ErrorCode::kBadVersion},
      {"version 2", v1::block::kVersion, 2, ErrorCode::kBadVersion},
      {"longer than the bytes", v1::block::kTotalByteLength, size + 1, ErrorCode::kTruncated},
      {"longest", v1::block::kTotalByteLength, 0xFFFFFFFF, ErrorCode::kLimitExceeded},
      {"shorter than its header", v1::block::kTotalByteLength, 87, ErrorCode::kBadLength},
      {"empty", v1::block::kTotalByteLength, 0, ErrorCode::kBadLength},
      {"header too short", v1::block::kHeaderLength, 87, ErrorCode::kBadLength},
      {"header too long", v1::block::kHeaderLength, size + 1, ErrorCode::kBadLength},
  };
  for (const Row& row : rows) {
    const auto block = BlockView::parse(built.with(row.offset, row.value));
    ASSERT_FALSE(block) << row.what;
    EXPECT_EQ(block.error().code, row.code) << row.what << ": " << describe(block.error());
  }
}

TEST(BlockView, AcceptsAnyRevisionAndBytesBehindItsEnd) {
  const BuiltBlock built = BlockBuilder().add(object(2)).trailing(4096).build();
  const auto bytes = built.with(v1::block::kRevision, 7);
  const auto block = BlockView::parse(bytes);
  ASSERT_TRUE(block) << describe(block.error());
  EXPECT_EQ(block->byte_length() + 4096U, bytes.size());
  EXPECT_EQ(walk_objects(bytes).indices, Indices{2});
}

TEST(BlockView, ABlockLargerThanTheLimitIsRefused) {
  const auto bytes = three_objects().bytes;
  const auto block = BlockView::parse(bytes, {.block_bytes = bytes.size() - 1});
  ASSERT_FALSE(block);
  EXPECT_EQ(block.error().code, ErrorCode::kLimitExceeded);
  EXPECT_EQ(block.error().actual, bytes.size());
  EXPECT_EQ(block.error().limit, bytes.size() - 1);
}

TEST(BlockView, ComputerNameOutsideTheHeaderIsEmpty) {
  const BuiltBlock built = three_objects();
  for (const std::uint32_t value : {400U, 0x7FFFFFFFU, 0xFFFFFFFFU}) {
    for (const std::size_t at : {v1::block::kSystemNameLength, v1::block::kSystemNameOffset}) {
      const auto bytes = built.with(at, value);
      const auto block = BlockView::parse(bytes);
      ASSERT_TRUE(block);
      EXPECT_EQ(block->computer_name(), "") << at << " " << value;
    }
  }
}

TEST(ObjectWalk, DeliversTheObjectsInOrder) {
  const WalkedObjects walked = walk_objects(three_objects().bytes);
  EXPECT_EQ(walked.indices, (Indices{2, 4, 238}));
  EXPECT_TRUE(walked.errors.empty());
}

TEST(ObjectWalk, ACorruptObjectCostsItselfAlone) {
  const BuiltBlock built = three_objects();
  const std::size_t second = built.objects[1].offset;
  const WalkedObjects walked = walk_objects(built.with(second + v1::object::kHeaderLength, 12));
  EXPECT_EQ(walked.indices, (Indices{2, 238}));
  ASSERT_EQ(walked.errors.size(), 1U);
  EXPECT_EQ(walked.errors[0].code, ErrorCode::kBadLength);
  EXPECT_EQ(walked.errors[0].offset, second);
  EXPECT_EQ(walked.errors[0].actual, 12U);
  EXPECT_EQ(walked.errors[0].limit, 64U);
}

TEST(ObjectWalk, EndsWhereALengthCannotBeTrusted) {
  const BuiltBlock built = three_objects();
  const std::size_t second = built.objects[1].offset;
  for (const std::uint32_t length : {0U, 1U, 63U, 0x7FFFFFFFU, 0xFFFFFFFFU}) {
    const WalkedObjects walked =
        walk_objects(built.with(second + v1::object::kTotalByteLength, length));
    EXPECT_EQ(walked.indices, Indices{2}) << length;
    ASSERT_EQ(walked.errors.size(), 1U) << length;
    EXPECT_EQ(walked.errors[0].offset, second) << length;
  }
}

TEST(ObjectWalk, FewerObjectsThanCountedIsAProblemBehindTheGoodOnes) {
  for (const std::uint32_t count : {4U, 0x7FFFFFFFU, 0xFFFFFFFFU}) {
    const WalkedObjects walked =
        walk_objects(three_objects().with(v1::block::kNumObjectTypes, count));
    EXPECT_EQ(walked.indices, (Indices{2, 4, 238}));
    ASSERT_EQ(walked.errors.size(), 1U);
    EXPECT_EQ(walked.errors[0].code, ErrorCode::kBadCount);
    EXPECT_EQ(walked.errors[0].actual, count);
    EXPECT_EQ(walked.errors[0].limit, 3U);
  }
}

TEST(ObjectWalk, MoreObjectsThanCountedIsAProblemBehindTheCountedOnes) {
  const BuiltBlock built = three_objects();
  const WalkedObjects walked = walk_objects(built.with(v1::block::kNumObjectTypes, 2));
  EXPECT_EQ(walked.indices, (Indices{2, 4}));
  ASSERT_EQ(walked.errors.size(), 1U);
  EXPECT_EQ(walked.errors[0].code, ErrorCode::kBadCount);
  EXPECT_EQ(walked.errors[0].offset, built.objects[2].offset);
}

TEST(ObjectWalk, PaddingBehindTheLastObjectIsNoProblem) {
  BuiltBlock built = three_objects();
  built.bytes.resize(built.bytes.size() + 128);
  const auto size = static_cast<std::uint32_t>(built.bytes.size());
  const WalkedObjects walked = walk_objects(built.with(v1::block::kTotalByteLength, size));
  EXPECT_EQ(walked.indices.size(), 3U);
  EXPECT_TRUE(walked.errors.empty());
}

TEST(ObjectWalk, MoreObjectsThanTheLimitIsAnError) {
  const WalkedObjects walked = walk_objects(three_objects().bytes, {.objects = 2});
  EXPECT_EQ(walked.indices, (Indices{2, 4}));
  ASSERT_EQ(walked.errors.size(), 1U);
  EXPECT_EQ(walked.errors[0].code, ErrorCode::kLimitExceeded);
  EXPECT_EQ(walked.errors[0].actual, 3U);
  EXPECT_TRUE(walk_objects(three_objects().bytes, {.objects = 3}).errors.empty());
}

TEST(ObjectWalk, NoObjectsIsABlockToo) {
  const WalkedObjects walked = walk_objects(BlockBuilder().bytes());
  EXPECT_TRUE(walked.indices.empty());
  EXPECT_TRUE(walked.errors.empty());
}

}  // namespace
}  // namespace winperf
