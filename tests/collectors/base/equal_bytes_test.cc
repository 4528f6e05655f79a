#include "collectors/base/equal_bytes.h"

#include <gtest/gtest.h>

#include <vector>

namespace winperf {
namespace {

TEST(EqualShortBytes, FindsEachByteThatDiffers) {
  for (std::size_t size = 0; size <= 33; ++size) {
    const std::vector<std::byte> bytes(size, std::byte{7});
    std::vector<std::byte> others = bytes;
    EXPECT_TRUE(equal_short_bytes(bytes, others)) << size;
    for (std::size_t at = 0; at < size; ++at) {
      others[at] = std::byte{8};
      EXPECT_FALSE(equal_short_bytes(bytes, others)) << at << " of " << size;
      others[at] = std::byte{7};
    }
    others.push_back(std::byte{7});
    EXPECT_FALSE(equal_short_bytes(bytes, others)) << size;
    EXPECT_FALSE(equal_short_bytes(others, bytes)) << size;
  }
}

}  // namespace
}  // namespace winperf
