// A block of deflate: gathered first, because its codes depend on how often each symbol occurs.
// Source: RFC 1951, section 3.2. Thread rule: one thread.
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

// A block of at most 65,535 bytes as they are.
void write_stored(BitWriter& to, std::string_view text);

class Block {
 public:
  // Fewer symbols describe their codes too often; more of them change too much for one code.
  static constexpr std::size_t kFull = 6000;
  // What a block takes at most beyond its text: it is stored as it is where that is smaller.
  static constexpr std::size_t kMostOverhead = 5;

  bool is_full() const { return symbols_ >= kFull; }
  // As the text begins with it, unless the block is full.
  void add(const Sequence& sequence, std::string_view text) {
    sequences_[sequence_count_++] = {static_cast<std::uint16_t>(sequence.literals),
                                     static_cast<std::uint16_t>(sequence.match.length),
                                     static_cast<std::uint16_t>(sequence.match.distance)};
    symbols_ += sequence.literals + 1;
    for (const char c : text.substr(0, sequence.literals))
      ++literal_counts_[static_cast<unsigned char>(c)];
    if (!sequence.match.is_there()) return;
    ++literal_counts_[length_symbol(sequence.match.length).symbol];
    ++distance_counts_[distance_symbol(sequence.match.distance).symbol];
  }

  // Of the text that has been added, and empties the block.
  void write(BitWriter& to, std::string_view text);

 private:
  // A sequence in less memory.
  struct Short {
    std::uint16_t literals = 0;
    std::uint16_t length = 0;
    std::uint16_t distance = 0;
  };
  using LiteralCode = HuffmanCode<kLiteralSymbols>;
  using DistanceCode = HuffmanCode<kDistanceSymbols>;

  std::size_t coded_bits(const LiteralCode& literals, const DistanceCode& distances) const;
  void write_coded(BitWriter& to, std::string_view text, const LiteralCode& literals,
                   const DistanceCode& distances) const;

  std::array<Short, kFull> sequences_;
  std::size_t sequence_count_ = 0;
  std::size_t symbols_ = 0;
  LiteralCode::Counts literal_counts_{};
  DistanceCode::Counts distance_counts_{};
};

}  // namespace winperf::deflate
