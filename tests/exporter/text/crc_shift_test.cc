#include "exporter/text/crc_shift.h"

#include <gtest/gtest.h>
#include <zlib.h>

#include <random>
#include <string>

namespace winperf {
namespace {

std::uint32_t crc_of(const std::string& text) {
  const auto* bytes = reinterpret_cast<const Bytef*>(text.data());
  return static_cast<std::uint32_t>(crc32(0, bytes, static_cast<uInt>(text.size())));
}

TEST(CrcShift, JoinsTheSumsOfTwoTexts) {
  constexpr std::size_t kSizes[]{0, 1, 2, 3, 7, 8, 31, 64, 255, 1'000, 65'535, 1U << 20U};
  std::mt19937 random(1);
  for (const std::size_t size : kSizes) {
    std::string first(random() % 100, ' ');
    for (char& c : first) c = static_cast<char>(random() & 0xFFU);
    std::string second(size, ' ');
    for (char& c : second) c = static_cast<char>(random() & 0xFFU);
    EXPECT_EQ(CrcShift(size)(crc_of(first)) ^ crc_of(second), crc_of(first + second)) << size;
  }
}

// More bytes than zlib's function can be told at once.
TEST(CrcShift, OfTwoLengthsInTurnIsThatOfTheirSum) {
  constexpr std::uint64_t kGiB = std::uint64_t{1} << 30U;
  std::mt19937 random(2);
  for (const std::uint64_t one : {std::uint64_t{1}, kGiB - 1, kGiB, 2 * kGiB, 5 * kGiB + 3})
    for (const std::uint64_t other : {std::uint64_t{1}, kGiB, 4 * kGiB - 1}) {
      const auto crc = static_cast<std::uint32_t>(random());
      EXPECT_EQ(CrcShift(one)(CrcShift(other)(crc)), CrcShift(one + other)(crc));
    }
}

}  // namespace
}  // namespace winperf
