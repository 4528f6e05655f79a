#include "collectors/base/posix/descriptor.h"

#include <fcntl.h>
#include <gtest/gtest.h>

#include <cerrno>
#include <utility>

namespace winperf {
namespace {

int opened() { return open("/dev/null", O_RDONLY | O_CLOEXEC); }
bool is_open(int number) { return fcntl(number, F_GETFD) != -1; }

TEST(Descriptor, IsNoneAtFirst) {
  const Descriptor none;
  EXPECT_FALSE(none);
  EXPECT_EQ(none.get(), -1);
}

TEST(Descriptor, ClosesItself) {
  int number = -1;
  {
    const Descriptor file(opened());
    number = file.get();
    EXPECT_TRUE(file);
    EXPECT_TRUE(is_open(number));
  }
  EXPECT_FALSE(is_open(number));
}

TEST(Descriptor, MayBeNumberZero) {
  const Descriptor saved(fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 3));
  {
    if (!saved) {
      ASSERT_EQ(opened(), STDIN_FILENO);
    }
    const Descriptor input(STDIN_FILENO);
    EXPECT_TRUE(input);
  }
  EXPECT_FALSE(is_open(STDIN_FILENO));
  if (saved) {
    ASSERT_EQ(dup2(saved.get(), STDIN_FILENO), STDIN_FILENO);
  }
}

TEST(Descriptor, BelongsToOneObjectOnly) {
  Descriptor first(opened());
  const int number = first.get();
  {
    const Descriptor second(std::move(first));
    EXPECT_EQ(second.get(), number);
    EXPECT_FALSE(first);  // NOLINT(bugprone-use-after-move): it is none, and that is the rule
    EXPECT_EQ(first.get(), -1);
  }
  EXPECT_FALSE(is_open(number));
}

TEST(Descriptor, FinishedIsClosedOnce) {
  Descriptor file(opened());
  const int number = file.get();
  EXPECT_TRUE(file.finish());
  EXPECT_EQ(file.get(), -1);
  EXPECT_FALSE(is_open(number));
  const int next = opened();
  ASSERT_EQ(next, number);
  errno = 0;
  EXPECT_FALSE(file.finish()) << "there is nothing to be closed";
  EXPECT_EQ(errno, EBADF);
  EXPECT_TRUE(is_open(next)) << "the number is another one's now";
  close(next);
}

}  // namespace
}  // namespace winperf
