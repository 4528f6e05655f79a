#include "collectors/sampling/registry/registry_reader.h"

#include <gmock/gmock.h>

#include <optional>
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
using ::testing::SizeIs;

constexpr ObjectIndex kTwo{2}, kFour{4}, kSix{6};

ObjectBuilder numbered_object(std::uint32_t index) {
  return ObjectBuilder(index).counter({.index = 8}).single({index});
}

class SharedReplyTest : public ::testing::Test {
 protected:
  SharedReplyTest() { source_.replies["2 4"] = {both()}; }

  static Bytes both() {
    return BlockBuilder().add(numbered_object(2)).add(numbered_object(4)).bytes();
  }
  std::optional<Error> fetch(std::vector<ObjectIndex> objects = {kTwo, kFour},
                             std::string_view value_name = {}) {
    source_.asked.clear();
    return shared_.fetch(source_, objects, value_name,
                         {.steady_now = [this] { return std::exchange(now_, now_ + took_); },
                          .wall_now = [] { return Ticks100ns{77}; }},
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
  const auto built = BlockBuilder().add(numbered_object(2)).add(numbered_object(4)).build();
  const std::size_t size = built.objects[1].offset - built.objects[0].offset;
  const std::vector<ObjectIndex> two{kTwo};
  const auto part = shared_.part(two);
  ASSERT_TRUE(part);
  EXPECT_EQ(part->bytes, size);
  EXPECT_EQ(part->took, seconds(3));
  EXPECT_EQ(part->at, (Instant{now_ - took_, Ticks100ns{77}})) << "when it was over";
  ASSERT_EQ(part->reply.blocks.size(), 1U);
  EXPECT_EQ(part->reply.blocks[0], built.bytes);
  const std::vector<ObjectIndex> each{kTwo, kFour};
  EXPECT_EQ(shared_.part(each)->bytes, 2 * size);
  EXPECT_FALSE(has({kSix}));
  EXPECT_FALSE(has({kTwo, kSix}));
}

TEST_F(SharedReplyTest, OfEverything_AsksByItsName) {
  source_.replies["Global"] = {BlockBuilder()
                                   .add(numbered_object(2))
                                   .add(numbered_object(4))
                                   .add(numbered_object(6))
                                   .bytes()};
  fetch({kTwo, kFour}, "Global");
  EXPECT_THAT(source_.asked, ElementsAre("Global"));
  EXPECT_TRUE(has({kTwo, kFour}));
  EXPECT_TRUE(has({kSix})) << "it has more than was asked for";
}

TEST_F(SharedReplyTest, OfNoneOrOne_AsksNothing) {
  fetch({});
  EXPECT_THAT(source_.asked, IsEmpty());
  fetch({kTwo});
  EXPECT_THAT(source_.asked, IsEmpty());
  EXPECT_FALSE(has({kTwo}));
}

TEST_F(SharedReplyTest, OfWhatIsMissing_HasNoBytes) {
  source_.every_reply = Reply{.blocks = {BlockBuilder().add(numbered_object(2)).bytes()},
                              .missing = {{kFour, {.code = ErrorCode::kLeftOut}}}};
  fetch();
  const std::vector<ObjectIndex> two{kTwo}, four{kFour}, both{kTwo, kFour};
  EXPECT_EQ(shared_.part(four)->bytes, 0U);
  EXPECT_EQ(shared_.part(both)->bytes, shared_.part(two)->bytes);
}

// Whoever asked for one of them alone would keep the provider from answering for all.
TEST_F(SharedReplyTest, OfWhatMayBeAmongWhatIsAwaited_HasNoBytes) {
  const Error pending{.code = ErrorCode::kPending};
  source_.every_reply = Reply{.blocks = {BlockBuilder().add(numbered_object(2)).bytes()},
                              .missing = {{.reason = pending}}};
  fetch();
  const std::vector<ObjectIndex> four{kFour};
  ASSERT_TRUE(has({kFour}));
  EXPECT_EQ(shared_.part(four)->bytes, 0U);
  EXPECT_EQ(reason_of(shared_.part(four)->reply, four), pending);
  source_.every_reply->missing = {{.reason = {.code = ErrorCode::kTimedOut}}};
  fetch();
  EXPECT_FALSE(has({kFour})) << "it may be another one's";
}

TEST_F(SharedReplyTest, OfMany_AsksInTheirOrder) {
  source_.replies["6 2 4"] = {
      BlockBuilder().add(numbered_object(4)).add(numbered_object(6)).bytes()};
  fetch({kSix, kTwo, kFour});
  EXPECT_THAT(source_.asked, ElementsAre("6 2 4"));
  EXPECT_TRUE(has({kSix, kFour}));
  EXPECT_FALSE(has({kTwo})) << "it was not delivered, which costs no other";
}

TEST_F(SharedReplyTest, ReplacedOrCleared_HasNothingOfTheOneBefore) {
  fetch();
  shared_.give_back(source_);
  EXPECT_FALSE(has({kTwo}));
  fetch();
  source_.replies["4 6"] = {BlockBuilder().add(numbered_object(4)).bytes()};
  fetch({kFour, kSix});
  EXPECT_FALSE(has({kTwo}));
  EXPECT_TRUE(has({kFour}));
  fetch({kFour});
  EXPECT_FALSE(has({kFour}));
}

TEST_F(SharedReplyTest, ThatIsCorruptAnywhere_IsNotShared) {
  const auto built = BlockBuilder()
                         .add(numbered_object(2))
                         .add(ObjectBuilder(4).counter({.index = 8}).instance({.name = u"a"}))
                         .build();
  const auto& instances = built.objects[1];
  auto cut = built.bytes;
  cut.resize(60);
  const struct {
    Bytes block;
    ErrorCode code;
  } corrupt[] = {
      {cut, ErrorCode::kTruncated},
      {built.with(instances.offset + v1::object::kTotalByteLength.offset, 0),
       ErrorCode::kBadLength},
      {built.with(instances.instances[0].offset, 0), ErrorCode::kBadLength},
      {built.with(instances.instances[0].block_offset, 1 << 20), ErrorCode::kTruncated},
      {BlockBuilder().add(numbered_object(2)).add(numbered_object(2)).bytes(),
       ErrorCode::kDuplicateObject},
  };
  for (const auto& one : corrupt) {
    shared_ = SharedReply();
    source_.replies["2 4"] = {one.block};
    const auto wrong = fetch();
    EXPECT_THAT(source_.asked, ElementsAre("2 4"));
    ASSERT_TRUE(wrong);
    EXPECT_EQ(wrong->code, one.code) << describe(*wrong);
    EXPECT_FALSE(has({kTwo}));
    EXPECT_FALSE(shared_.is_there());
  }
  source_.every_reply = {.blocks = {both(), Bytes(10)}};
  shared_ = SharedReply();
  EXPECT_TRUE(fetch());
  EXPECT_FALSE(has({kTwo}));
}

TEST_F(SharedReplyTest, AnObjectWithoutCounters_IsNoFaultOfTheOthers) {
  source_.replies["2 4"] = {BlockBuilder().add(numbered_object(2)).add(ObjectBuilder(4)).bytes()};
  EXPECT_FALSE(fetch());
  EXPECT_TRUE(has({kTwo}));
}

TEST_F(SharedReplyTest, AfterAFailure_RestsLongerEachTimeUpToAnHour) {
  source_.replies["2 4"] = {std::unexpected(Error{.code = ErrorCode::kTimedOut, .where = "q"})};
  took_ = seconds(1);
  for (const int rest : {1, 2, 4, 8, 16, 32, 60, 60}) {
    EXPECT_EQ(fetch()->code, ErrorCode::kTimedOut);
    EXPECT_THAT(source_.asked, ElementsAre("2 4")) << rest;
    const auto ended = now_ - took_;  // what the clock says next is later by one more query
    now_ = ended + minutes(rest) - seconds(1);
    EXPECT_FALSE(fetch());
    EXPECT_THAT(source_.asked, IsEmpty()) << rest;
    now_ = ended + minutes(rest);
  }
}

TEST_F(SharedReplyTest, AfterASuccess_RestsShortAgain) {
  const auto failure = std::unexpected(Error{.code = ErrorCode::kTimedOut, .where = "q"});
  source_.replies["2 4"] = {failure, failure, both(), failure};
  for (int i = 0; i < 3; ++i) {
    fetch();
    now_ += minutes(60);
  }
  EXPECT_TRUE(fetch());
  now_ += minutes(1) - seconds(1);
  fetch();
  EXPECT_THAT(source_.asked, IsEmpty());
  now_ += seconds(1);
  fetch();
  EXPECT_THAT(source_.asked, ElementsAre("2 4"));
}

TEST_F(SharedReplyTest, OnlyWhatFailedTogetherRests_AndOthersDoNotEndThat) {
  source_.replies["2 4 6"] = {
      std::unexpected(Error{.code = ErrorCode::kBufferLimit, .where = "q"})};
  EXPECT_TRUE(fetch({kTwo, kFour, kSix}));
  fetch();
  EXPECT_TRUE(has({kTwo, kFour}));
  fetch({kTwo, kFour, kSix});
  EXPECT_THAT(source_.asked, IsEmpty());
  now_ += minutes(1);
  EXPECT_TRUE(fetch({kTwo, kFour, kSix}));
  now_ += minutes(1);
  fetch({kTwo, kFour, kSix});
  EXPECT_THAT(source_.asked, IsEmpty()) << "two minutes";
}

TEST_F(SharedReplyTest, ThatIsStillToCome_SaysSoToEach) {
  const Error pending{.code = ErrorCode::kPending, .where = "q"};
  source_.replies["2 4"] = {std::unexpected(pending), both()};
  EXPECT_FALSE(fetch());
  for (const ObjectIndex object : {kTwo, kFour}) {
    const std::vector<ObjectIndex> one{object};
    const auto part = shared_.part(one);
    ASSERT_TRUE(part);
    EXPECT_EQ(part->bytes, 0U);
    EXPECT_THAT(part->reply.blocks, IsEmpty());
    ASSERT_THAT(part->reply.missing, SizeIs(2));
    EXPECT_EQ(part->reply.missing[0].object, kTwo);
    EXPECT_EQ(part->reply.missing[1].object, kFour);
    for (const MissingObject& missing : part->reply.missing) EXPECT_EQ(missing.reason, pending);
  }
  EXPECT_FALSE(fetch()) << "it is no failure, so nobody rests";
  EXPECT_THAT(source_.asked, ElementsAre("2 4"));
}

TEST_F(SharedReplyTest, AStop_IsNoFailure) {
  source_.replies["2 4"] = {std::unexpected(Error{.code = ErrorCode::kCancelled, .where = "q"}),
                            both()};
  EXPECT_FALSE(fetch());
  EXPECT_FALSE(has({kTwo}));
  fetch();
  EXPECT_TRUE(has({kTwo}));
}

}  // namespace
}  // namespace winperf
