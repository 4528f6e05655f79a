#include "exporter/deflate/huffman_code.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <functional>
#include <queue>
#include <random>
#include <vector>

namespace winperf::deflate {
namespace {

using ::testing::ElementsAre;

using Counts = std::vector<std::uint32_t>;
using Lengths = std::vector<std::uint8_t>;

Lengths lengths_of(const Counts& counts, unsigned most_bits = kMostCodeBits) {
  Lengths lengths(counts.size());
  find_code_lengths(counts, most_bits, lengths);
  return lengths;
}

std::uint64_t bits_of(const Counts& counts, const Lengths& lengths) {
  std::uint64_t bits = 0;
  for (std::size_t i = 0; i < counts.size(); ++i) bits += std::uint64_t{counts[i]} * lengths[i];
  return bits;
}

// As the two rarest are joined again and again, each of their symbols gets one bit more.
std::uint64_t fewest_bits(const Counts& counts) {
  std::priority_queue<std::uint64_t, std::vector<std::uint64_t>, std::greater<>> trees;
  for (const std::uint32_t count : counts)
    if (count != 0) trees.push(count);
  std::uint64_t bits = 0;
  while (trees.size() > 1) {
    std::uint64_t joined = trees.top();
    trees.pop();
    joined += trees.top();
    trees.pop();
    bits += joined;
    trees.push(joined);
  }
  return bits;
}

// No code begins with another one, and nothing is left over.
void expect_complete(const Lengths& lengths, unsigned most_bits = kMostCodeBits) {
  std::vector<std::uint16_t> bits(lengths.size());
  find_code_bits(lengths, bits);
  std::uint64_t taken = 0;
  std::size_t used = 0;
  for (std::size_t i = 0; i < lengths.size(); ++i) {
    if (lengths[i] == 0) continue;
    ++used;
    EXPECT_LE(lengths[i], most_bits) << i;
    EXPECT_EQ(bits[i] >> lengths[i], 0) << i;
    taken += std::uint64_t{1} << (kMostCodeBits - lengths[i]);
    for (std::size_t j = 0; j < i; ++j)
      if (const unsigned both = std::min(lengths[i], lengths[j]); both != 0) {
        EXPECT_NE((bits[i] ^ bits[j]) & ((1U << both) - 1), 0U) << i << " and " << j;
      }
  }
  EXPECT_GE(used, 2U);
  EXPECT_EQ(taken, std::uint64_t{1} << kMostCodeBits);
}

Counts fibonacci(std::size_t symbols) {
  Counts counts(symbols, 1);
  for (std::size_t i = 2; i < symbols; ++i) counts[i] = counts[i - 1] + counts[i - 2];
  return counts;
}

// The example of RFC 1951, section 3.2.2: 010, 011, 100, 101, 110, 00, 1110, 1111.
TEST(HuffmanCode, NumbersItsCodesAsTheStandardDoes) {
  std::vector<std::uint16_t> bits(8);
  find_code_bits(Lengths{3, 3, 3, 3, 3, 2, 4, 4}, bits);
  EXPECT_THAT(bits, ElementsAre(0b010, 0b110, 0b001, 0b101, 0b011, 0b00, 0b0111, 0b1111));
}

TEST(HuffmanCode, GivesFrequentSymbolsFewBits) {
  EXPECT_THAT(lengths_of({10, 0, 1, 30, 2}), ElementsAre(2, 0, 3, 1, 3));
}

TEST(HuffmanCode, IsTheShortestAndComplete) {
  std::mt19937 random(1);
  for (int turn = 0; turn < 500; ++turn) {
    Counts counts(2 + random() % 40);
    const unsigned most = 1U << random() % 12;
    for (std::uint32_t& count : counts)
      count = random() % 3 == 0 ? 0 : static_cast<std::uint32_t>(random() % most);
    counts[0] = counts[1] = 1;
    const Lengths lengths = lengths_of(counts);
    EXPECT_EQ(bits_of(counts, lengths), fewest_bits(counts));
    for (std::size_t i = 0; i < counts.size(); ++i) EXPECT_EQ(lengths[i] == 0, counts[i] == 0);
    expect_complete(lengths);
  }
}

TEST(HuffmanCode, OfAllSymbolsOfTheLargestAlphabet_IsComplete) {
  expect_complete(lengths_of(Counts(kMostSymbols, 1)));
  expect_complete(lengths_of(Counts(kMostSymbols, 0xFFFFFFFFU / kMostSymbols)));
}

TEST(HuffmanCode, HasTwoSymbolsEvenIfFewerOccur) {
  EXPECT_THAT(lengths_of({0, 0, 0}), ElementsAre(1, 1, 0));
  EXPECT_THAT(lengths_of({7, 0, 0}), ElementsAre(1, 1, 0));
  EXPECT_THAT(lengths_of({0, 0, 7}), ElementsAre(1, 0, 1));
}

// A code of 40 such symbols would have 39 bits for the rarest.
TEST(HuffmanCode, HasNoCodesThatAreTooLong) {
  expect_complete(lengths_of(fibonacci(40)));
  expect_complete(lengths_of(fibonacci(19), 7), 7);
  Counts skewed(kMostSymbols, 1);
  std::ranges::copy(fibonacci(30), skewed.begin());
  expect_complete(lengths_of(skewed));
}

TEST(HuffmanCode, IsHardlyLongerBecauseOfThat) {
  const Counts counts = fibonacci(17);
  const Lengths lengths = lengths_of(counts);
  EXPECT_GT(bits_of(counts, lengths), fewest_bits(counts));
  EXPECT_LT(bits_of(counts, lengths), fewest_bits(counts) * 101 / 100);
}

}  // namespace
}  // namespace winperf::deflate
