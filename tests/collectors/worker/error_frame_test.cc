#include "collectors/worker/frame.h"

#include <gtest/gtest.h>

#include <array>
#include <cstring>
#include <limits>
#include <string>
#include <string_view>

namespace winperf::worker {
namespace {

constexpr std::size_t kMaxKept = 256;  // texts in a process
constexpr std::size_t kMostBytes = 47;
constexpr const char* kLongest = "a.place.whose.name.is.as.long.as.a.name.may.be!";
constexpr const char* kTooLong = "a.place.whose.name.is.as.long.as.a.name.may.be!!";
// All texts that cross in this file, except for those that are there to be too many.
constexpr std::array kUsed{"worker", "", "object.counter", kLongest, " ~", "short"};

ErrorFrame frame_at(std::string_view where) {
  ErrorFrame frame{};
  where.copy(frame.where.data(), frame.where.size());
  return frame;
}

std::string where_in(const ErrorFrame& frame) {
  const auto error = read_error(frame);
  return error ? error->where : "no error";
}

TEST(ErrorFrame, CarriesEveryErrorWhole) {
  for (std::size_t code = 0; code < kErrorCodeCount; ++code) {
    const Error sent{
        .code = static_cast<ErrorCode>(code),
        .where = "object.counter",
        .offset = 168 + code,
        .actual = std::numeric_limits<std::uint64_t>::max() - code,
        .limit = (std::uint64_t{1} << 63) + code,
        .os_code = std::numeric_limits<std::uint32_t>::max() - static_cast<std::uint32_t>(code)};
    const auto received = read_error(frame_of(sent));
    ASSERT_TRUE(received) << code;
    EXPECT_EQ(*received, sent) << code;
  }
}

TEST(ErrorFrame, IsNoErrorWithACodeThatDoesNotExist) {
  ErrorFrame frame = frame_at("object.counter");
  frame.code = kErrorCodeCount - 1;
  ASSERT_TRUE(read_error(frame));
  EXPECT_EQ(read_error(frame)->code, ErrorCode::kOsError);
  for (const std::uint32_t code :
       {static_cast<std::uint32_t>(kErrorCodeCount), 0x100U, 0x80000000U, 0xFFFFFFFFU}) {
    frame.code = code;
    EXPECT_FALSE(read_error(frame)) << code;
  }
}

TEST(ErrorFrame, CutsAPlaceThatIsTooLong) {
  ASSERT_EQ(std::strlen(kLongest), kMostBytes);
  ASSERT_EQ(std::strlen(kTooLong), kMostBytes + 1);
  EXPECT_EQ(where_in(frame_of({.where = kLongest})), kLongest);
  EXPECT_EQ(where_in(frame_of({.where = kTooLong})), kLongest);
  EXPECT_EQ(frame_of({.where = kTooLong}).where.back(), '\0');
}

TEST(ErrorFrame, MayHaveNoPlace) { EXPECT_EQ(where_in(frame_of(Error{})), ""); }

TEST(ErrorFrame, EndsAPlaceAtItsFirstNul) {
  EXPECT_EQ(where_in(frame_at(std::string_view("short\0\n and more", 16))), "short");
}

TEST(ErrorFrame, KnowsNoPlaceWithoutItsNul) { EXPECT_EQ(where_in(frame_at(kTooLong)), "worker"); }

TEST(ErrorFrame, KnowsNoPlaceThatIsNotPrintable) {
  for (const char* const where : {"a\n", "\x1f", "\x7f", "caf\xc3\xa9", "a\tb", "\xff"})
    EXPECT_EQ(where_in(frame_of({.where = where})), "worker") << where;
  EXPECT_EQ(where_in(frame_of({.where = " ~"})), " ~");
}

TEST(ErrorFrame, HasOneCopyOfEachPlace) {
  const std::string text = "object.counter";
  const auto first = read_error(frame_of({.where = text.c_str()}));
  const auto second = read_error(frame_of({.where = "object.counter"}));
  ASSERT_TRUE(first && second);
  EXPECT_EQ(static_cast<const void*>(first->where), static_cast<const void*>(second->where));
  EXPECT_NE(static_cast<const void*>(first->where), static_cast<const void*>(text.c_str()));
}

TEST(ErrorFrame, KnowsABoundedNumberOfPlaces) {
  for (const char* const where : kUsed) EXPECT_EQ(where_in(frame_of({.where = where})), where);
  for (std::size_t i = kUsed.size(); i < kMaxKept; ++i) {
    const std::string where = "place " + std::to_string(i);
    EXPECT_EQ(where_in(frame_of({.where = where.c_str()})), where);
  }
  EXPECT_EQ(where_in(frame_of({.where = "one more"})), "worker");
  EXPECT_EQ(where_in(frame_of({.where = "place 255"})), "place 255");
  for (const char* const where : kUsed) EXPECT_EQ(where_in(frame_of({.where = where})), where);
  // The rest of such an error is still true.
  const auto error =
      read_error(frame_of({.code = ErrorCode::kBusy, .where = "new", .os_code = 170}));
  ASSERT_TRUE(error);
  EXPECT_EQ(*error, (Error{.code = ErrorCode::kBusy, .where = "worker", .os_code = 170}));
}

}  // namespace
}  // namespace winperf::worker
