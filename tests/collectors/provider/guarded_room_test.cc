#include "collectors/provider/guarded_room.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <new>
#include <utility>

namespace winperf {
namespace {

// Ends the process with that code, and without Wine's debugger, which may take minutes on a busy
// machine or fail.
constexpr int kRefused = 77;

void write(std::byte* place) {
  std::signal(SIGSEGV, [](int) { std::_Exit(kRefused); });
  *static_cast<volatile std::byte*>(place) = std::byte{1};
}

TEST(GuardedRoom, IsEmptyAndZero) {
  EXPECT_TRUE(GuardedRoom().bytes().empty());
  for (const std::size_t bytes :
       {std::size_t{8}, page_bytes() - 8, page_bytes(), page_bytes() + 8}) {
    const GuardedRoom room(bytes);
    EXPECT_EQ(room.bytes().size(), bytes);
    EXPECT_TRUE(
        std::ranges::all_of(room.bytes(), [](std::byte byte) { return byte == std::byte{}; }));
    std::ranges::fill(room.bytes(), std::byte{1});
  }
}

TEST(GuardedRoom, IsMovedWithItsBytes) {
  GuardedRoom first(16);
  first.bytes()[3] = std::byte{7};
  GuardedRoom second = std::move(first);
  EXPECT_EQ(second.bytes()[3], std::byte{7});
  GuardedRoom third;
  third = std::move(second);
  EXPECT_EQ(third.bytes()[3], std::byte{7});
}

TEST(GuardedRoom, ThatIsTooLargeIsNone) {
  EXPECT_THROW(GuardedRoom(std::size_t{1} << 60), std::bad_alloc);
}

TEST(GuardedRoomDeathTest, TheByteBehindItEndsTheProcess) {
  const GuardedRoom room(24);
  EXPECT_EXIT(write(room.bytes().data() + room.bytes().size()), ::testing::ExitedWithCode(kRefused),
              "");
}

TEST(GuardedRoomDeathTest, SoDoesThePageBeforeIt) {
  const GuardedRoom room(page_bytes());
  EXPECT_EXIT(write(room.bytes().data() - 1), ::testing::ExitedWithCode(kRefused), "");
}

TEST(GuardedRoomDeathTest, AfterItsEndItsBytesAreGone) {
  std::byte* place = nullptr;
  {
    const GuardedRoom room(24);
    place = room.bytes().data();
  }
  EXPECT_EXIT(write(place), ::testing::ExitedWithCode(kRefused), "");
}

}  // namespace
}  // namespace winperf
