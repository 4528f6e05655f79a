#include "collectors/base/whole_file.h"

#include <gtest/gtest.h>

namespace winperf {
namespace {

// The kernel's files say that they have a page's size and hold a few bytes.
TEST(WholeFile, ShorterThanItSays_IsReadToItsEnd) {
  const std::filesystem::path file = "/sys/devices/system/cpu/possible";
  if (!std::filesystem::exists(file)) GTEST_SKIP() << "THERE IS NO " << file << " HERE";
  const auto size = readable_size(file);
  ASSERT_TRUE(size);
  const auto bytes = read_whole_file(file, 1 << 20);
  ASSERT_TRUE(bytes);
  EXPECT_LT(bytes->size(), *size);
  ASSERT_FALSE(bytes->empty());
  EXPECT_EQ(bytes->front(), std::byte{'0'});
  EXPECT_EQ(bytes->back(), std::byte{'\n'});
}

}  // namespace
}  // namespace winperf
