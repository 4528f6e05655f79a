#include "exporter/deflate/code_lengths.h"

#include <gtest/gtest.h>

#include <random>
#include <string>
#include <string_view>
#include <vector>

namespace winperf::deflate {
namespace {

using LiteralLengths = std::array<std::uint8_t, kLiteralSymbols>;
using DistanceLengths = std::array<std::uint8_t, kDistanceSymbols>;

class BitReader {
 public:
  explicit BitReader(std::string_view bytes) : bytes_(bytes) {}
  unsigned bits(unsigned count) {
    unsigned value = 0;
    for (unsigned i = 0; i < count; ++i, ++at_)
      value |= (static_cast<unsigned char>(bytes_[at_ / 8]) >> at_ % 8 & 1U) << i;
    return value;
  }
  std::size_t read() const { return at_; }

 private:
  std::string_view bytes_;
  std::size_t at_ = 0;
};

// One of the symbols, by its code.
std::size_t symbol_from(BitReader& from, const std::array<std::uint8_t, 19>& lengths) {
  std::array<std::uint16_t, 19> bits{};
  find_code_bits(lengths, bits);
  unsigned code = 0;
  for (unsigned length = 1; length <= 7; ++length) {
    code |= from.bits(1) << (length - 1);
    for (std::size_t symbol = 0; symbol < lengths.size(); ++symbol)
      if (lengths[symbol] == length && bits[symbol] == code) return symbol;
  }
  ADD_FAILURE() << "no symbol has this code";
  return 0;
}

// As RFC 1951 says, section 3.2.7.
std::vector<std::uint8_t> read_lengths(BitReader& from, std::size_t& literals) {
  constexpr std::size_t kOrder[] = {16, 17, 18, 0, 8,  7, 9,  6, 10, 5,
                                    11, 4,  12, 3, 13, 2, 14, 1, 15};
  literals = from.bits(5) + 257;
  const std::size_t distances = from.bits(5) + 1;
  const unsigned written = from.bits(4) + 4;
  std::array<std::uint8_t, 19> code{};
  for (unsigned i = 0; i < written; ++i) code[kOrder[i]] = static_cast<std::uint8_t>(from.bits(3));
  std::vector<std::uint8_t> lengths;
  while (lengths.size() < literals + distances) {
    const std::size_t symbol = symbol_from(from, code);
    if (symbol < 16)
      lengths.push_back(static_cast<std::uint8_t>(symbol));
    else if (symbol == 16)
      lengths.insert(lengths.end(), 3 + from.bits(2), lengths.back());
    else
      lengths.insert(lengths.end(), symbol == 17 ? 3 + from.bits(3) : 11 + from.bits(7), 0);
  }
  EXPECT_EQ(lengths.size(), literals + distances);
  return lengths;
}

void expect_read_back(const LiteralLengths& literals, const DistanceLengths& distances) {
  const CodeLengths lengths(literals, distances);
  std::vector<char> room(1000);  // as a block reckons
  BitWriter writer(room.data());
  lengths.write(writer);
  BitReader reader(std::string_view(room.data(), room.size()));
  std::size_t literal_count = 0;
  const auto read = read_lengths(reader, literal_count);
  EXPECT_EQ(reader.read(), lengths.bits());
  for (std::size_t i = 0; i < kLiteralSymbols; ++i)
    EXPECT_EQ(i < literal_count ? read[i] : 0, literals[i]) << i;
  for (std::size_t i = 0; i < kDistanceSymbols; ++i)
    EXPECT_EQ(literal_count + i < read.size() ? read[literal_count + i] : 0, distances[i]) << i;
}

TEST(CodeLengths, AreReadBack) {
  std::mt19937 random(1);
  for (int turn = 0; turn < 300; ++turn) {
    LiteralLengths literals{};
    DistanceLengths distances{};
    const auto kinds = 1 + random() % 16, change = 1 + random() % 40;
    std::uint8_t length = 0;
    const auto fill = [&](auto& lengths) {
      for (std::uint8_t& one : lengths) {
        if (random() % change == 0) length = static_cast<std::uint8_t>(random() % kinds);
        one = length;
      }
    };
    fill(literals);
    fill(distances);
    expect_read_back(literals, distances);
  }
}

// Each number of equal lengths from 1 on, of zeros and of others.
TEST(CodeLengths, AreReadBackHoweverManyAreEqual) {
  for (std::size_t run = 1; run < kLiteralSymbols - 2; ++run)
    for (const int length : {0, 5}) {
      LiteralLengths literals{};
      literals[0] = 1;
      std::fill_n(literals.begin() + 1, run, static_cast<std::uint8_t>(length));
      literals[run + 1] = 2;
      expect_read_back(literals, {});
    }
}

TEST(CodeLengths, OfOnlyOneRepeatedLengthAreShort) {
  LiteralLengths literals;
  literals.fill(8);
  DistanceLengths distances;
  distances.fill(8);
  const CodeLengths lengths(literals, distances);
  EXPECT_LT(lengths.bits(), 300U);
}

}  // namespace
}  // namespace winperf::deflate
