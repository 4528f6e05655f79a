#include "exporter/deflate/bit_writer.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace winperf::deflate {
namespace {

// What is written by `write`, which has room for exactly that.
std::string written(std::size_t bytes, const auto& write) {
  std::vector<char> room(bytes + BitWriter::kSpare);
  BitWriter writer(room.data());
  write(writer);
  EXPECT_EQ(writer.end() - room.data(), static_cast<std::ptrdiff_t>(bytes));
  return {room.data(), bytes};
}

TEST(BitWriter, WritesTheLowestBitFirst) {
  EXPECT_EQ(written(2,
                    [](BitWriter& to) {
                      to.put(1, 1);
                      to.put(0b10, 2);
                      to.put(0b10110, 5);
                      to.put('A', 8);
                    }),
            "\xB5"
            "A");
}

TEST(BitWriter, GoesToAByteBoundaryWithZeros) {
  EXPECT_EQ(written(3,
                    [](BitWriter& to) {
                      to.align();
                      EXPECT_TRUE(to.is_aligned());
                      to.put(1, 1);
                      EXPECT_FALSE(to.is_aligned());
                      to.align();
                      to.align();
                      to.put("xy");
                    }),
            "\x01xy");
}

TEST(BitWriter, TakesManyBitsWhateverIsWaiting) {
  constexpr std::uint64_t kBits = 0x00FEDCBA98765432U;
  for (unsigned waiting = 0; waiting < 8; ++waiting) {
    const std::string text = written(8, [&](BitWriter& to) {
      to.put(0, waiting);
      to.put(kBits, BitWriter::kMostBits);
      to.put(0, 8 - waiting);
    });
    std::uint64_t word = 0;
    std::memcpy(&word, text.data(), sizeof word);
    EXPECT_EQ(word, kBits << waiting) << waiting;
  }
}

}  // namespace
}  // namespace winperf::deflate
