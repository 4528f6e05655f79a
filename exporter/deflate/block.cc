#include "exporter/deflate/block.h"

#include <span>

#include "exporter/deflate/code_lengths.h"

namespace winperf::deflate {
namespace {

// What a block begins with: a bit that says that it isn't the last one, and two for its kind.
constexpr unsigned kHeadBits = 3;
constexpr std::uint64_t kStored = 0b000;
constexpr std::uint64_t kCoded = 0b100;

constexpr unsigned kSizeBits = 16;
constexpr std::size_t kMostStored = 0xFFFF;
constexpr std::size_t kMostPadding = 7;  // bits

// What is longer than a stored block can be is never larger when it is coded: a symbol takes at
// most 48 bits (two codes, and what follows them), and the description of the codes less than 1,000
// bytes.
constexpr std::size_t kMostSymbolBits = 2 * kMostCodeBits + 5 + 13;
static_assert((Block::kFull + MatchFinder::kMostLiterals) * kMostSymbolBits / 8 + 1000 <
              kMostStored);
static_assert(kMostSymbolBits <= BitWriter::kMostBits);
static_assert(kHeadBits + kMostPadding + 2 * kSizeBits <= 8 * Block::kMostOverhead);

}  // namespace

void write_stored(BitWriter& to, std::string_view text) {
  to.put(kStored, kHeadBits);
  to.align();
  to.put(text.size(), kSizeBits);
  to.put(kMostStored - text.size(), kSizeBits);
  to.put(text);
}

void Block::write(BitWriter& to, std::string_view text) {
  literal_counts_[kEndOfBlock] = 1;
  const LiteralCode literals(literal_counts_);
  const DistanceCode distances(distance_counts_);
  const CodeLengths lengths(literals.lengths, distances.lengths);
  const std::size_t coded = lengths.bits() + coded_bits(literals, distances);
  const std::size_t stored = kMostPadding + 2 * kSizeBits + 8 * text.size();
  if (text.size() <= kMostStored && stored <= coded) {
    write_stored(to, text);
  } else {
    to.put(kCoded, kHeadBits);
    lengths.write(to);
    write_coded(to, text, literals, distances);
  }
  clear();
}

std::size_t Block::coded_bits(const LiteralCode& literals, const DistanceCode& distances) const {
  std::size_t bits = 0;
  for (unsigned i = 0; i < kLiteralSymbols; ++i)
    bits += literal_counts_[i] * (literals.lengths[i] + length_extra_bits(i));
  for (unsigned i = 0; i < kDistanceSymbols; ++i)
    bits += distance_counts_[i] * (distances.lengths[i] + distance_extra_bits(i));
  return bits;
}

// A hot loop: all that is compressed comes out of it. Its writer is a copy, because a byte that is
// written through a reference might be a member of the writer.
void Block::write_coded(BitWriter& to, std::string_view text, const LiteralCode& literals,
                        const DistanceCode& distances) const {
  BitWriter writer = to;
  for (const Short& sequence : std::span(sequences_).first(sequence_count_)) {
    for (const char c : text.substr(0, sequence.literals)) {
      const auto byte = static_cast<unsigned char>(c);
      writer.put(literals.bits[byte], literals.lengths[byte]);
    }
    text.remove_prefix(std::size_t{sequence.literals} + sequence.length);
    if (sequence.length == 0) continue;
    std::uint64_t bits = 0;
    unsigned count = 0;
    const auto add = [&](const auto& code, const Symbol& symbol) {
      bits |= std::uint64_t{code.bits[symbol.symbol]} << count;
      count += code.lengths[symbol.symbol];
      bits |= std::uint64_t{symbol.extra} << count;
      count += symbol.extra_bits;
    };
    add(literals, length_symbol(sequence.length));
    add(distances, distance_symbol(sequence.distance));
    writer.put(bits, count);
  }
  writer.put(literals.bits[kEndOfBlock], literals.lengths[kEndOfBlock]);
  to = writer;
}

void Block::clear() {
  sequence_count_ = symbols_ = 0;
  literal_counts_ = {};
  distance_counts_ = {};
}

}  // namespace winperf::deflate
