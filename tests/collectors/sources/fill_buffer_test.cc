#include "collectors/sources/fill_buffer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

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

TEST_F(FillBufferTest, TheFirstBufferIsWithinTheLimit) {
  EXPECT_TRUE(fill({.first = 9, .max = 5}, 5, 5));
  EXPECT_THAT(capacities_, ElementsAre(5));
}

}  // namespace
}  // namespace winperf
