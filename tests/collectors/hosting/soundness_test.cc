#include "collectors/hosting/blame.h"

#include <gtest/gtest.h>

#include "collectors/wire/v1_format.h"
#include "tests/support/block_builder.h"

namespace winperf {
namespace {

using testing::BlockBuilder;
using testing::BuiltBlock;
using testing::ObjectBuilder;

BuiltBlock block() {
  return BlockBuilder()
      .add(ObjectBuilder(2).counter({.index = 4}).single({1}))
      .add(ObjectBuilder(6)
               .counter({.index = 8})
               .instance({.name = u"one", .values = {1}})
               .instance({.name = u"two", .values = {2}}))
      .build();
}

TEST(Soundness, OfWhatTheSystemDelivers) {
  EXPECT_TRUE(is_sound({}));
  EXPECT_TRUE(is_sound({{block().bytes}}));
  EXPECT_TRUE(is_sound({{block().bytes, BlockBuilder().bytes()}}));
}

TEST(Soundness, IsLostWithAnyBlock) {
  EXPECT_FALSE(is_sound({{Bytes(100)}}));
  EXPECT_FALSE(is_sound({{block().bytes, Bytes(100)}}));
}

TEST(Soundness, IsLostWithTheLengthsOfAnObject) {
  for (const std::size_t object : {0U, 1U}) {
    const std::size_t at = block().objects[object].offset + v1::object::kTotalByteLength;
    for (const std::uint32_t length : {0U, 63U, 1U << 20})
      EXPECT_FALSE(is_sound({{block().with(at, length)}})) << object << ' ' << length;
  }
}

TEST(Soundness, IsLostWithTheNumberOfObjects) {
  for (const std::uint32_t count : {1U, 3U})
    EXPECT_FALSE(is_sound({{block().with(v1::block::kNumObjectTypes, count)}})) << count;
}

TEST(Soundness, OfAllThatIsListed) {
  const Reply reply{.blocks = {block().bytes, BlockBuilder().add(ObjectBuilder(8)).bytes()}};
  for (const char* there : {"2", "6 2", "2 6"}) EXPECT_TRUE(has_all_of(reply, there)) << there;
  EXPECT_FALSE(has_all_of(reply, "2 4"));
  EXPECT_FALSE(has_all_of(reply, "Global")) << "nobody knows what is all";
  EXPECT_FALSE(has_all_of({{block().bytes, Bytes(100)}}, "2"));
}

TEST(Soundness, BearsADamagedInstance) {
  const std::size_t at = block().objects[1].instances[0].offset + v1::instance::kByteLength;
  EXPECT_TRUE(is_sound({{block().with(at, 0)}}));
}

}  // namespace
}  // namespace winperf
