#include "exporter/deflate/block.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "tests/exporter/support/gunzip.h"

namespace winperf::deflate {
namespace {

// What is written by `write`, up to a byte boundary.
std::string blocks(std::size_t room, const auto& write) {
  std::vector<char> bytes(room + BitWriter::kSpare);
  BitWriter writer(bytes.data());
  write(writer);
  if (!writer.is_aligned()) write_stored(writer, {});
  return {bytes.data(), writer.end()};
}

TEST(Block_ThatIsStored, HasItsBytesAsTheyAre) {
  for (const std::size_t size : {0U, 1U, 65535U}) {
    const std::string text(size, 'x');
    const std::string both = blocks(2 * size + 10, [&](BitWriter& to) {
      write_stored(to, text);
      write_stored(to, text);
    });
    EXPECT_EQ(both.size(), 2 * size + 10);
    EXPECT_TRUE(testing::inflated(both) == text + text) << size;
  }
}

// Each length, and each distance where the bits that follow it begin to be others.
TEST(Block_OfMatches, HasThem) {
  const auto block = std::make_unique<Block>();
  std::string text(kLongestDistance, ' ');
  for (std::size_t i = 0; i < text.size(); ++i) text[i] = static_cast<char>(i * i >> 7U);
  const std::string before = text;
  std::string coded = blocks(before.size() + 1000, [&](BitWriter& to) {
    write_stored(to, before);
    const auto add = [&](unsigned length, unsigned distance) {
      const std::size_t at = text.size();
      text += "ab";
      for (unsigned i = 0; i < length; ++i) text += text[text.size() - distance];
      block->add({.literals = 2, .match = {.length = length, .distance = distance}},
                 std::string_view(text).substr(at));
    };
    for (unsigned length = kShortestLength; length <= kLongestLength; ++length)
      add(length, 1 + length * 7);
    for (unsigned bits = 0; bits <= 15; ++bits)
      for (const unsigned distance : {1U << bits, (1U << bits) + 1, (1U << bits) * 3 / 2})
        if (distance <= kLongestDistance) add(5, distance);
    block->write(to, std::string_view(text).substr(before.size()));
  });
  EXPECT_TRUE(testing::inflated(coded) == text);
}

// Each byte as often as the two before it together: its code would be longer than 15 bits.
TEST(Block_OfVeryDifferentFrequencies, IsCodedAllTheSame) {
  const auto block = std::make_unique<Block>();
  std::string text;
  std::size_t count = 1, next = 1;
  for (char c = 'a'; text.size() + count < Block::kFull; ++c) {
    text.append(count, c);
    next += count;
    count = next - count;
  }
  ASSERT_GE(text.back(), 'a' + kMostCodeBits + 1);
  const std::string coded = blocks(text.size() + 100, [&](BitWriter& to) {
    for (std::size_t at = 0; at < text.size(); at += 1000)
      block->add({.literals = std::min<std::size_t>(1000, text.size() - at), .match = {}},
                 std::string_view(text).substr(at));
    block->write(to, text);
  });
  EXPECT_EQ(testing::inflated(coded), text);
  EXPECT_LT(coded.size(), text.size() / 2) << "not stored";
}

TEST(Block, IsEmptyOnceItIsWritten) {
  const auto block = std::make_unique<Block>();
  const std::string one(200, 'a'), other(200, 'b');
  const std::string coded = blocks(500, [&](BitWriter& to) {
    for (const std::string& text : {one, other}) {
      block->add({.literals = text.size(), .match = {}}, text);
      block->write(to, text);
    }
  });
  EXPECT_EQ(testing::inflated(coded), one + other);
  EXPECT_LT(coded.size(), 120U) << "codes of one symbol each";
}

TEST(Block, IsFullBySymbols) {
  const auto block = std::make_unique<Block>();
  const std::string text(1000, 'a');
  std::size_t symbols = 0;
  while (!block->is_full()) {
    block->add({.literals = 999, .match = {.length = 10, .distance = 1}}, text);
    symbols += 1000;
  }
  EXPECT_EQ(symbols, Block::kFull);
}

}  // namespace
}  // namespace winperf::deflate
