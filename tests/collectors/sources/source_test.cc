#include "collectors/sources/source.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <span>

#include "tests/collectors/sampling/fake_source.h"

namespace winperf {
namespace {

using ::testing::Each;
using ::testing::ElementsAre;

constexpr std::byte kDirt{0x55};

Bytes block_of(std::size_t size) { return Bytes(size, std::byte{0xEE}); }

class QueryInTest : public ::testing::Test {
 protected:
  std::expected<std::size_t, Error> query_in(std::size_t room) {
    room_.assign(room, kDirt);
    return source_.query_in(std::span(room_), "238", {});
  }

  testing::FakeSource source_;
  Bytes room_;
};

TEST_F(QueryInTest, OneBlockStandsAtTheBeginningOfTheRoom) {
  source_.every_reply = Reply{{block_of(2)}};
  EXPECT_EQ(query_in(3), 2U);
  EXPECT_THAT(room_, ElementsAre(std::byte{0xEE}, std::byte{0xEE}, kDirt));
  EXPECT_THAT(source_.asked, ElementsAre("238"));
}

TEST_F(QueryInTest, TheBlockMayFillTheRoomExactly) {
  source_.every_reply = Reply{{block_of(3)}};
  EXPECT_EQ(query_in(3), 3U);
  EXPECT_THAT(room_, Each(std::byte{0xEE}));
  source_.every_reply = Reply{{Bytes()}};
  EXPECT_EQ(query_in(0), 0U);
}

TEST_F(QueryInTest, ABlockThatIsTooLargeIsNotCut) {
  source_.every_reply = Reply{{block_of(4)}};
  EXPECT_EQ(
      query_in(3).error(),
      (Error{
          .code = ErrorCode::kBufferLimit, .where = "source.query_in", .actual = 4, .limit = 3}));
  EXPECT_THAT(room_, Each(kDirt));
}

TEST_F(QueryInTest, OnlyOneBlockIsSupported) {
  const Error unsupported{.code = ErrorCode::kUnsupported, .where = "source.query_in"};
  source_.every_reply = Reply{{block_of(1), block_of(1)}};
  EXPECT_EQ(query_in(3).error(), unsupported);
  source_.every_reply = Reply{};
  EXPECT_EQ(query_in(3).error(), unsupported);
}

TEST_F(QueryInTest, AnErrorIsPassedOn) {
  const Error busy{.code = ErrorCode::kBusy, .where = "here", .os_code = 170};
  source_.replies["238"] = {std::unexpected(busy)};
  EXPECT_EQ(query_in(3).error(), busy);
}

TEST(SourceHealth, OfProcessesWithoutProvidersOfTheirOwnIsTheProcesses) {
  class Processes final : public SourceHealth {
    std::vector<WorkerView*> workers() override { return {}; }
  } processes;
  EXPECT_TRUE(processes.provider_states().empty());
  EXPECT_TRUE(processes.take_sharing_news().empty());
  EXPECT_EQ(processes.take_side_effect_text(), "");
  EXPECT_EQ(processes.supplier_of(ObjectIndex{2}), nullptr);
}

}  // namespace
}  // namespace winperf
