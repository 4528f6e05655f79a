#include "collectors/sources/fill_buffer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <new>
#include <span>
#include <vector>

namespace winperf {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

class FillBufferTest : public ::testing::Test {
 protected:
  // A system that reports `reported` once the buffer has `needed` items.
  std::expected<std::vector<std::uint16_t>, Error> fill(BufferSizes sizes, std::size_t needed,
                                                        std::size_t reported) {
    const auto call = [&](std::span<std::uint16_t> buffer, std::size_t& size) {
      EXPECT_EQ(size, buffer.size());
      for (const std::uint16_t item : buffer) EXPECT_EQ(item, 0) << "the buffer is zeroed";
      capacities_.push_back(buffer.size());
      if (buffer.size() < needed) {
        size = 1'000 + capacities_.size();
        return value_of(OsCode::kMoreData);
      }
      for (std::size_t i = 0; i < buffer.size(); ++i) buffer[i] = static_cast<std::uint16_t>(i + 1);
      size = reported;
      return value_of(OsCode::kSuccess);
    };
    const auto next = [&](const FailedCall& failed) -> std::expected<std::size_t, Error> {
      EXPECT_EQ(failed.number, capacities_.size());
      EXPECT_EQ(failed.os_code, value_of(OsCode::kMoreData));
      EXPECT_EQ(failed.capacity, capacities_.back());
      EXPECT_EQ(failed.reported, 1'000 + capacities_.size());
      if (failed.capacity == sizes.max) return std::unexpected(kFull);
      return failed.capacity + 1;
    };
    return fill_buffer<std::uint16_t>(sizes, "here", call, next);
  }

  static constexpr Error kFull{.code = ErrorCode::kBufferLimit, .where = "full"};
  std::vector<std::size_t> capacities_;
};

TEST_F(FillBufferTest, AnAnswerMayFillTheBufferExactly) {
  EXPECT_THAT(fill({.first = 3, .max = 8}, 0, 2).value(), ElementsAre(1, 2));
  EXPECT_THAT(fill({.first = 3, .max = 8}, 0, 3).value(), ElementsAre(1, 2, 3));
  EXPECT_THAT(fill({.first = 3, .max = 8}, 0, 0).value(), IsEmpty());
  EXPECT_EQ(fill({.first = 3, .max = 8}, 0, 4).error(),
            (Error{.code = ErrorCode::kBadLength, .where = "here", .actual = 4, .limit = 3}));
}

TEST_F(FillBufferTest, GrowsAsThePolicySaysUntilItSaysNo) {
  EXPECT_EQ(fill({.first = 2, .max = 5}, 5, 5).value().size(), 5U);
  EXPECT_THAT(capacities_, ElementsAre(2, 3, 4, 5));
  capacities_.clear();
  EXPECT_EQ(fill({.first = 2, .max = 5}, 6, 6).error(), kFull);
  EXPECT_THAT(capacities_, ElementsAre(2, 3, 4, 5));
}

// A place with room for so many items, and a system that needs more each time.
std::expected<std::size_t, Error> fill_room_of(std::size_t room, std::vector<std::size_t>& calls) {
  std::vector<std::uint16_t> items(room);
  const auto place = [&](std::size_t capacity) {
    if (capacity > room) throw std::bad_alloc();
    return std::span(items).first(capacity);
  };
  const auto call = [&](std::span<std::uint16_t> buffer, std::size_t&) {
    calls.push_back(buffer.size());
    return value_of(OsCode::kMoreData);
  };
  const auto next = [](const FailedCall& failed) -> std::expected<std::size_t, Error> {
    return 2 * failed.capacity;
  };
  return fill_place<std::uint16_t>({.first = 4, .max = 64}, "here", place, call, next);
}

TEST(FillPlace, WithoutRoomIsAnErrorThatSaysForHowMuch) {
  std::vector<std::size_t> calls;
  EXPECT_EQ(fill_room_of(3, calls).error(),
            (Error{.code = ErrorCode::kBufferLimit, .where = "here", .actual = 4, .limit = 64}));
  EXPECT_THAT(calls, IsEmpty());
  EXPECT_EQ(fill_room_of(8, calls).error(),
            (Error{.code = ErrorCode::kBufferLimit, .where = "here", .actual = 16, .limit = 64}));
  EXPECT_THAT(calls, ElementsAre(4, 8));
}

TEST_F(FillBufferTest, TheFirstBufferIsWithinTheLimit) {
  EXPECT_TRUE(fill({.first = 9, .max = 5}, 5, 5));
  EXPECT_THAT(capacities_, ElementsAre(5));
}

}  // namespace
}  // namespace winperf
