#include "collectors/provider/provider_source.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <span>

#include "collectors/wire/block_view.h"
#include "tests/collectors/provider/fake_machine.h"

namespace winperf {
namespace {

using ::testing::ElementsAre;

class ProviderSourceTest : public ::testing::Test {
 protected:
  explicit ProviderSourceTest(QueryLimits limits = {})
      : fake_(new testing::FakeMachine),
        source_(std::unique_ptr<ProviderMachine>(fake_), "thing", limits, system_clocks()) {
    fake_->reply = {.objects = testing::one_object(2000), .count = 1};
  }

  testing::FakeMachine* fake_;
  ProviderSource source_;
};

TEST_F(ProviderSourceTest, IsABlockOfItsObjects) {
  const auto reply = source_.query("2000", {});
  ASSERT_TRUE(reply);
  ASSERT_EQ(reply->blocks.size(), 1U);
  const auto block = BlockView::parse(reply->blocks[0]);
  ASSERT_TRUE(block);
  EXPECT_EQ(block->computer_name(), "PC");
  EXPECT_EQ(block->object_count(), 1U);
  EXPECT_EQ(block->clocks().perf_time.ticks, 1);
  ObjectWalk walk = block->objects();
  const auto object = walk.next();
  ASSERT_TRUE(object && *object);
  EXPECT_EQ(value_of((*object)->index()), 2000U);
  EXPECT_THAT(fake_->calls.queries, ElementsAre(u"2000"));
}

TEST_F(ProviderSourceTest, GetsMoreRoomUntilItIsEnough) {
  fake_->reply.objects = testing::with_field(std::vector<std::byte>(200'000), 0, 200'000);
  const auto reply = source_.query("2000", {});
  ASSERT_TRUE(reply);
  EXPECT_GT(reply->blocks[0].size(), 200'000U);
  const auto head = static_cast<std::uint32_t>(block_head_bytes(u"PC"));
  EXPECT_THAT(fake_->calls.rooms, ElementsAre(65'536 - head, 131'072 - head, 262'144 - head));
  EXPECT_EQ(fake_->calls.loaded, 1);
}

TEST_F(ProviderSourceTest, InRoomOfTheCallersItIsTheSame) {
  const auto reply = source_.query("2000", {});
  std::vector<std::byte> room(1 << 20);
  const auto size = source_.query_in(std::span(room), "2000", {});
  ASSERT_TRUE(size && reply);
  room.resize(*size);
  EXPECT_EQ(room, reply->blocks[0]);
}

TEST_F(ProviderSourceTest, RoomForLessThanAHeadIsTooLittle) {
  std::vector<std::byte> room(block_head_bytes(u"PC") - 1);
  EXPECT_EQ(source_.query_in(std::span(room), "2000", {}).error().code, ErrorCode::kBufferLimit);
}

TEST_F(ProviderSourceTest, RoomForAHeadIsEnoughForNoObjects) {
  fake_->reply = {};
  std::vector<std::byte> room(block_head_bytes(u"PC"));
  EXPECT_EQ(source_.query_in(std::span(room), "2000", {}), room.size());
}

TEST_F(ProviderSourceTest, OpensItOnceForAllItsQueries) {
  for (int i = 0; i < 3; ++i) ASSERT_TRUE(source_.query("2000", {}));
  EXPECT_EQ(fake_->calls.loaded, 1);
  EXPECT_EQ(fake_->calls.opened.size(), 1U);
  EXPECT_EQ(fake_->calls.closed, 0);
}

TEST_F(ProviderSourceTest, TakesTheServiceOfItsName) {
  fake_->all.insert(fake_->all.begin(), {.service = "Other", .devices = {{u"wrong"}}});
  ASSERT_TRUE(source_.query("2000", {}));
  EXPECT_THAT(fake_->calls.opened, ElementsAre(std::nullopt));
}

TEST(BlockMoment, IsNothingAtFirst) {
  EXPECT_EQ(BlockMoment{}.perf_time, 0);
  EXPECT_EQ(BlockMoment{}.perf_frequency, 0);
  EXPECT_EQ(BlockMoment{}.time_100ns, 0);
}

TEST_F(ProviderSourceTest, SaysWhatTheProviderDidWrong) {
  fake_->reply.code = 21;
  EXPECT_EQ(source_.query("2000", {}).error(),
            (Error{.code = ErrorCode::kOsError, .where = "provider.collect", .os_code = 21}));
  fake_->reply.code = 0;
  EXPECT_TRUE(source_.query("2000", {})) << "the next query is a new one";
}

TEST_F(ProviderSourceTest, AnUnknownServiceIsNotRegistered) {
  fake_->all = {{.service = "Other"}};
  EXPECT_EQ(source_.query("2000", {}).error().code, ErrorCode::kNotRegistered);
}

TEST_F(ProviderSourceTest, ReleaseClosesIt) {
  ASSERT_TRUE(source_.query("2000", {}));
  source_.release();
  EXPECT_EQ(fake_->calls.closed, 1);
  ASSERT_TRUE(source_.query("2000", {}));
  EXPECT_EQ(fake_->calls.opened.size(), 2U);
}

TEST_F(ProviderSourceTest, HasNoNames) {
  const auto tables = source_.text_tables(TextTable::kCounter, Language::kEnglish);
  ASSERT_EQ(tables.size(), 1U);
  EXPECT_EQ(tables[0].error().code, ErrorCode::kUnsupported);
  EXPECT_FALSE(source_.supports_metadata());
  EXPECT_EQ(source_.provider_generation(), 0U);
  EXPECT_TRUE(source_.is_live());
}

}  // namespace
}  // namespace winperf
