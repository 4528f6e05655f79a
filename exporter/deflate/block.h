// A block of deflate. It is gathered first, because its codes follow from how often each symbol
// occurs. Source: RFC 1951, section 3.2. Thread rule: one thread.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "exporter/deflate/bit_writer.h"
#include "exporter/deflate/huffman_code.h"
#include "exporter/deflate/match_finder.h"
#include "exporter/deflate/symbols.h"

namespace winperf::deflate {

// A block of at most 65,535 bytes as they are, up to a byte boundary.
void write_stored(BitWriter& to, std::string_view text);

class Block {
 public:
  // With fewer symbols, the description of the codes takes too much; with more, what is frequent
  // changes too much for one code.
  static constexpr std::size_t kFull = 9000;
  // In bytes, more than its text: what codes don't make smaller is stored.
  static constexpr std::size_t kMostOverhead = 6;

  bool is_full() const { return symbols_ >= kFull; }
  // `text` begins with the sequence. Only if the block isn't full.
  void add(const Sequence& sequence, std::string_view text) {
    sequences_[sequence_count_++] = {static_cast<std::uint16_t>(sequence.literals),
                                     static_cast<std::uint16_t>(sequence.match.length),
                                     static_cast<std::uint16_t>(sequence.match.distance)};
    symbols_ += sequence.literals;
    for (const char c : text.substr(0, sequence.literals))
      ++literal_counts_[static_cast<unsigned char>(c)];
    if (!sequence.match.is_there()) return;
    ++symbols_;
    ++literal_counts_[length_symbol(sequence.match.length).symbol];
    ++distance_counts_[distance_symbol(sequence.match.distance).symbol];
  }

  // `text`: of all sequences that were added. Empties the block.
  void write(BitWriter& to, std::string_view text);

 private:
  // A sequence, in less memory.
  struct Short {
    std::uint16_t literals;
    std::uint16_t length;
    std::uint16_t distance;
  };
  static_assert(MatchFinder::kMostLiterals <= 0xFFFF && kLongestDistance <= 0xFFFF);
  using LiteralCode = HuffmanCode<kLiteralSymbols>;
  using DistanceCode = HuffmanCode<kDistanceSymbols>;

  std::size_t coded_bits(const LiteralCode& literals, const DistanceCode& distances) const;
  void write_coded(BitWriter& to, std::string_view text, const LiteralCode& literals,
                   const DistanceCode& distances) const;
  void clear();

  std::array<Short, kFull> sequences_;  // each has at least one symbol
  std::size_t sequence_count_ = 0;
  std::size_t symbols_ = 0;
  LiteralCode::Counts literal_counts_{};
  DistanceCode::Counts distance_counts_{};
};

}  // namespace winperf::deflate
