#include "collectors/sampling/registry/shared_reply.h"

#include <gmock/gmock.h>

#include <vector>

#include "collectors/base/stop.h"
#include "collectors/wire/v1_format.h"
#include "tests/collectors/sampling/fake_source.h"
#include "tests/support/block_builder.h"

namespace winperf {
namespace {

using std::chrono::minutes;
using std::chrono::seconds;
using testing::BlockBuilder;
using ::testing::ElementsAre;
using testing::FakeSource;
using ::testing::IsEmpty;
using testing::ObjectBuilder;

constexpr ObjectIndex kTwo{2}, kFour{4}, kSix{6};

ObjectBuilder object(std::uint32_t index) {
  return ObjectBuilder(index).counter({.index = 8}).single({index});
}

class SharedReplyTest : public ::testing::Test {
 protected:
  SharedReplyTest() { source_.replies["2 4"] = {both()}; }

  static Bytes both() { return BlockBuilder().add(object(2)).add(object(4)).bytes(); }
  void fetch(std::vector<ObjectIndex> objects = {kTwo, kFour}) {
    source_.asked.clear();
    shared_.fetch(source_, objects,
                  {.steady_now = [this] { return std::exchange(now_, now_ + took_); },
                   .wall_now = [] { return Ticks100ns{}; }},
                  stop_.token());
  }
  bool has(std::vector<ObjectIndex> objects) { return shared_.part(objects).has_value(); }

  FakeSource source_;
  SharedReply shared_;
  StopSource stop_;
  SharedReply::Time now_;
  seconds took_{0};  // by each query
};

TEST_F(SharedReplyTest, OfTwo_HasEachAndBothWithTheirSizes) {
  took_ = seconds(3);
  fetch();
  EXPECT_THAT(source_.asked, ElementsAre("2 4"));
  const auto built = BlockBuilder().add(object(2)).add(object(4)).build();
  const std::size_t size = built.objects[1].offset - built.objects[0].offset;
  const std::vector<ObjectIndex> two{kTwo};
  const auto part = shared_.part(two);
  ASSERT_TRUE(part);
  EXPECT_EQ(part->bytes, size);
  EXPECT_EQ(part->took, seconds(3));
  ASSERT_EQ(part->reply.blocks.size(), 1U);
  EXPECT_EQ(part->reply.blocks[0], built.bytes);
  const std::vector<ObjectIndex> each{kTwo, kFour};
  EXPECT_EQ(shared_.part(each)->bytes, 2 * size);
  EXPECT_FALSE(has({kSix}));
  EXPECT_FALSE(has({kTwo, kSix}));
}

TEST_F(SharedReplyTest, OfNoneOrOne_AsksNothing) {
  fetch({});
  EXPECT_THAT(source_.asked, IsEmpty());
  fetch({kTwo});
  EXPECT_THAT(source_.asked, IsEmpty());
  EXPECT_FALSE(has({kTwo}));
}

TEST_F(SharedReplyTest, OfMany_AsksInTheirOrder) {
  source_.replies["6 2 4"] = {BlockBuilder().add(object(4)).add(object(6)).bytes()};
  fetch({kSix, kTwo, kFour});
  EXPECT_THAT(source_.asked, ElementsAre("6 2 4"));
  EXPECT_TRUE(has({kSix, kFour}));
  EXPECT_FALSE(has({kTwo})) << "it was not delivered, which costs no other";
}

TEST_F(SharedReplyTest, ReplacedOrCleared_HasNothingOfTheOneBefore) {
  fetch();
  shared_.clear();
  EXPECT_FALSE(has({kTwo}));
  fetch();
  source_.replies["4 6"] = {BlockBuilder().add(object(4)).bytes()};
  fetch({kFour, kSix});
  EXPECT_FALSE(has({kTwo}));
  EXPECT_TRUE(has({kFour}));
  fetch({kFour});
  EXPECT_FALSE(has({kFour}));
}

TEST_F(SharedReplyTest, ThatIsCorruptAnywhere_IsNotShared) {
  const auto built = BlockBuilder().add(object(2)).add(object(4)).build();
  const auto length = built.objects[1].offset + v1::object::kTotalByteLength.offset;
  auto cut = built.bytes;
  cut.resize(60);
  const Bytes twice = BlockBuilder().add(object(2)).add(object(2)).bytes();
  for (const Bytes& corrupt : {built.with(length, 0), cut, twice}) {
    SharedReply fresh;
    shared_ = std::move(fresh);
    source_.replies["2 4"] = {corrupt};
    fetch();
    EXPECT_FALSE(has({kTwo}));
  }
  source_.every_reply = {.blocks = {both(), Bytes(10)}};
  shared_ = SharedReply();
  fetch();
  EXPECT_FALSE(has({kTwo}));
}

TEST_F(SharedReplyTest, AfterAFailure_RestsLongerEachTimeUpToAnHour) {
  const Bytes good = both();
  source_.replies["2 4"] = {std::unexpected(Error{.code = ErrorCode::kTimedOut, .where = "q"})};
  took_ = seconds(1);
  for (const int rest : {1, 2, 4, 8, 16, 32, 60, 60}) {
    fetch();
    EXPECT_THAT(source_.asked, ElementsAre("2 4")) << rest;
    const auto ended = now_ - took_;
    now_ = ended + minutes(rest) - seconds(1);
    fetch();
    EXPECT_THAT(source_.asked, IsEmpty()) << rest;
    now_ = ended + minutes(rest);
  }
  source_.replies["2 4"] = {good};
  fetch();
  EXPECT_TRUE(has({kTwo}));
  source_.replies["2 4"] = {Bytes(10)};
  fetch();
  now_ += minutes(1);
  fetch();
  EXPECT_THAT(source_.asked, ElementsAre("2 4")) << "a success makes the rest short again";
}

TEST_F(SharedReplyTest, AStop_IsNoFailure) {
  source_.replies["2 4"] = {std::unexpected(Error{.code = ErrorCode::kCancelled, .where = "q"}),
                            both()};
  fetch();
  EXPECT_FALSE(has({kTwo}));
  fetch();
  EXPECT_TRUE(has({kTwo}));
}

}  // namespace
}  // namespace winperf
