#include "collectors/sources/source.h"

#include <gmock/gmock.h>

#include <utility>
#include <vector>

#include "collectors/wire/v1_format.h"
#include "tests/support/block_builder.h"

namespace winperf {
namespace {

using testing::BlockBuilder;
using testing::BuiltBlock;
using ::testing::ElementsAre;
using testing::ObjectBuilder;

BuiltBlock sound_block() {
  return BlockBuilder()
      .add(ObjectBuilder(2).counter({.index = 4}).single({1}))
      .add(ObjectBuilder(6)
               .counter({.index = 8})
               .instance({.name = u"one", .values = {1}})
               .instance({.name = u"two", .values = {2}}))
      .build();
}

TEST(Soundness, OfWhatTheSystemDelivers) {
  EXPECT_TRUE(ReplyBlocks().is_sound());
  EXPECT_TRUE(ReplyBlocks({sound_block().bytes}).is_sound());
  EXPECT_TRUE(ReplyBlocks({sound_block().bytes, BlockBuilder().bytes()}).is_sound());
}

TEST(Soundness, IsLostWithAnyBlock) {
  EXPECT_FALSE(ReplyBlocks({Bytes(100)}).is_sound());
  EXPECT_FALSE(ReplyBlocks({sound_block().bytes, Bytes(100)}).is_sound());
}

TEST(Soundness, IsLostWithTheLengthsOfAnObject) {
  for (const std::size_t object : {0U, 1U}) {
    const std::size_t at = sound_block().objects[object].offset + v1::object::kTotalByteLength;
    for (const std::uint32_t length : {0U, 63U, 1U << 20})
      EXPECT_FALSE(ReplyBlocks({sound_block().with(at, length)}).is_sound())
          << object << ' ' << length;
  }
}

TEST(Soundness, IsLostWithTheNumberOfObjects) {
  for (const std::uint32_t count : {1U, 3U})
    EXPECT_FALSE(ReplyBlocks({sound_block().with(v1::block::kNumObjectTypes, count)}).is_sound())
        << count;
}

TEST(Soundness, BearsADamagedInstance) {
  const std::size_t at = sound_block().objects[1].instances[0].offset + v1::instance::kByteLength;
  EXPECT_TRUE(ReplyBlocks({sound_block().with(at, 0)}).is_sound());
}

ReplyBlocks three() {
  return {sound_block().bytes, BlockBuilder().add(ObjectBuilder(8)).bytes(),
          BlockBuilder().add(ObjectBuilder(6).counter({.index = 4}).single({1})).bytes()};
}

std::vector<std::uint32_t> indices(std::span<const ReplyBlocks::Place> places) {
  std::vector<std::uint32_t> all;
  for (const ReplyBlocks::Place& place : places) all.push_back(value_of(place.index));
  return all;
}

// Of one that has been moved, and of one that has been copied, the views are of its own bytes.
void expect_three(const ReplyBlocks& blocks) {
  EXPECT_THAT(indices(blocks.objects()), ElementsAre(2, 6, 6, 8));
  for (const ReplyBlocks::Place& place : blocks.objects()) {
    const ObjectView& view = blocks.view(place);
    EXPECT_EQ(view.index(), place.index);
    const auto definitions = view.definition_bytes();
    const Bytes& bytes = blocks[place.block];
    EXPECT_GE(definitions.data(), bytes.data());
    EXPECT_LE(definitions.data() + definitions.size(), bytes.data() + bytes.size());
  }
}

TEST(ReplyBlocks, KnowTheirObjects) { expect_three(three()); }

TEST(ReplyBlocks, KeepTheirViewsIfTheyAreMoved) {
  ReplyBlocks first = three();
  ReplyBlocks second = std::move(first);
  expect_three(second);
  first = std::move(second);
  expect_three(first);
}

TEST(ReplyBlocks, OfACopyAreItsOwn) {
  ReplyBlocks copy;
  {
    const ReplyBlocks first = three();
    copy = first;
    EXPECT_TRUE(copy == first);
  }
  expect_three(copy);
}

TEST(ReplyBlocks, AreAppended) {
  ReplyBlocks all{sound_block().bytes};
  all.append({});
  all.append({BlockBuilder().add(ObjectBuilder(8)).bytes(),
              BlockBuilder().add(ObjectBuilder(6).counter({.index = 4}).single({1})).bytes()});
  expect_three(all);
}

TEST(ReplyBlocks, ThatWereEmptiedAreAsNew) {
  ReplyBlocks blocks = three();
  std::vector<Bytes> given;
  blocks.give([&](Bytes bytes) { given.push_back(std::move(bytes)); });
  EXPECT_EQ(given.size(), 3U);
  EXPECT_TRUE(blocks.empty());
  EXPECT_TRUE(blocks.walked().empty());
  EXPECT_TRUE(blocks.objects().empty());
  for (Bytes& bytes : given) blocks.push_back(std::move(bytes));
  expect_three(blocks);
}

TEST(ReplyBlocks, HaveAnObjectInTheOrderOfTheReply) {
  const ReplyBlocks blocks = three();
  const auto found = blocks.objects_with(ObjectIndex{6});
  ASSERT_EQ(found.size(), 2U);
  EXPECT_EQ(found[0].block, 0U);
  EXPECT_EQ(found[1].block, 2U);
  EXPECT_THAT(indices(blocks.objects_with(ObjectIndex{4})), ElementsAre());
  const ObjectIndex some[] = {ObjectIndex{8}, ObjectIndex{6}};
  std::vector<ReplyBlocks::Place> places;
  blocks.put_in_order(some, places);
  EXPECT_THAT(indices(places), ElementsAre(6, 8, 6));
  blocks.put_in_order({}, places);
  EXPECT_THAT(indices(places), ElementsAre(2, 6, 8, 6));
}

TEST(ReplyBlocks, KnowWhichObjectsHaveValues) {
  ReplyBlocks blocks = three();
  blocks.push_back(BlockBuilder().add(ObjectBuilder(10).counter({.index = 4}).metadata()).bytes());
  for (const std::uint32_t index : {2U, 6U, 8U})
    EXPECT_TRUE(blocks.has_values_of(ObjectIndex{index})) << index;
  for (const std::uint32_t index : {4U, 10U})
    EXPECT_FALSE(blocks.has_values_of(ObjectIndex{index})) << index;
}

TEST(ReplyBlocks, SayWhatIsWrongAndKeepTheRest) {
  const std::size_t at = sound_block().objects[1].offset + v1::object::kTotalByteLength;
  const ReplyBlocks blocks{Bytes(100), sound_block().with(at, 0)};
  const auto problems = blocks.problems();
  ASSERT_GE(problems.size(), 2U);
  EXPECT_EQ(problems[0].code, ErrorCode::kBadSignature);
  EXPECT_EQ(problems[1].offset, sound_block().objects[1].offset);
  EXPECT_THAT(indices(blocks.objects()), ElementsAre(2));
}

}  // namespace
}  // namespace winperf
