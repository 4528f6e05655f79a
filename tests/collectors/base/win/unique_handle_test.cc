#include "collectors/base/win/unique_handle.h"

#include <gtest/gtest.h>

#include <vector>

namespace winperf {
namespace {

std::vector<int> closed;

struct FakeTraits {
  using Handle = int;
  static int invalid() { return -1; }
  static void close(int handle) {
    closed.push_back(handle);
    SetLastError(ERROR_INVALID_HANDLE);
  }
};
using FakeHandle = UniqueHandle<FakeTraits>;

class UniqueHandleTest : public ::testing::Test {
 protected:
  void SetUp() override { closed.clear(); }
};

TEST_F(UniqueHandleTest, ClosesOnceAtItsEnd) {
  {
    const FakeHandle none;
    EXPECT_FALSE(none);
    const FakeHandle zero(0);
    EXPECT_TRUE(zero);
    EXPECT_EQ(zero.get(), 0);
  }
  EXPECT_EQ(closed, std::vector<int>{0});
}

TEST_F(UniqueHandleTest, MovesItsHandle) {
  FakeHandle first(1);
  FakeHandle second(std::move(first));
  EXPECT_EQ(second.get(), 1);
  FakeHandle third(3);
  third = std::move(second);
  EXPECT_EQ(closed, std::vector<int>{3});
  EXPECT_EQ(third.get(), 1);
  EXPECT_EQ(third.release(), 1);
  EXPECT_FALSE(third);
  EXPECT_EQ(closed.size(), 1U);
}

TEST_F(UniqueHandleTest, PutClosesWhatItHeld) {
  FakeHandle handle(1);
  *handle.put() = 2;
  EXPECT_EQ(closed, std::vector<int>{1});
  EXPECT_EQ(handle.get(), 2);
}

TEST_F(UniqueHandleTest, KeepsTheLastError) {
  SetLastError(ERROR_ACCESS_DENIED);
  FakeHandle handle(1);
  handle.reset();
  EXPECT_EQ(closed.size(), 1U);
  EXPECT_EQ(GetLastError(), static_cast<DWORD>(ERROR_ACCESS_DENIED));
}

}  // namespace
}  // namespace winperf
