#include "exporter/deflate/huffman_code.h"

#include <algorithm>

namespace winperf::deflate {
namespace {

struct Leaf {
  std::uint32_t count = 0;
  std::uint32_t symbol = 0;
};

class Tree {
 public:
  explicit Tree(std::span<const std::uint32_t> counts) {
    for (std::uint32_t symbol = 0; symbol < counts.size(); ++symbol)
      if (counts[symbol] != 0) leaves_[leaf_count_++] = {counts[symbol], symbol};
    for (std::uint32_t symbol = 0; leaf_count_ < 2; ++symbol)
      if (counts[symbol] == 0) leaves_[leaf_count_++] = {1, symbol};
  }

  // The length of the longest code.
  unsigned find_lengths(std::span<std::uint8_t> lengths) {
    join();
    // A node is made after its children: from the root, parents come first. A depth is below 48,
    // because for each step deeper the counts grow as Fibonacci's numbers, and their sum has 32
    // bits.
    std::array<std::uint8_t, kMostNodes> depths{};
    unsigned longest = 0;
    for (std::size_t node = 2 * leaf_count_ - 2; node-- > 0;) {
      depths[node] = static_cast<std::uint8_t>(depths[parents_[node]] + 1);
      if (node >= leaf_count_) continue;
      lengths[leaves_[node].symbol] = depths[node];
      longest = std::max<unsigned>(longest, depths[node]);
    }
    return longest;
  }

  // The rarest symbols come closer to the others. In the end all are equal.
  void flatten() {
    for (Leaf& leaf : leaves()) leaf.count = (leaf.count + 1) / 2;
  }

 private:
  static constexpr std::size_t kMostNodes = 2 * kMostSymbols - 1;

  std::span<Leaf> leaves() { return std::span(leaves_).first(leaf_count_); }

  // Leaves are numbered by their counts, and the nodes above them follow in the order in which they
  // are made, which is by their counts as well: the rarest node is the next leaf or the next of
  // the others.
  void join() {
    std::ranges::sort(leaves(), {}, [](const Leaf& leaf) {
      return std::uint64_t{leaf.count} << 32U | leaf.symbol;
    });
    std::array<std::uint32_t, kMostNodes> counts{};
    for (std::size_t i = 0; i < leaf_count_; ++i) counts[i] = leaves_[i].count;
    std::size_t leaf = 0, inner = leaf_count_;
    for (std::size_t made = leaf_count_; made < 2 * leaf_count_ - 1; ++made)
      for (int child = 0; child < 2; ++child) {
        const bool takes_leaf =
            leaf < leaf_count_ && (inner == made || counts[leaf] <= counts[inner]);
        const std::size_t rarest = takes_leaf ? leaf++ : inner++;
        counts[made] += counts[rarest];
        parents_[rarest] = static_cast<std::uint16_t>(made);
      }
  }

  std::array<Leaf, kMostSymbols> leaves_{};
  std::size_t leaf_count_ = 0;
  std::array<std::uint16_t, kMostNodes> parents_{};
};

// The lowest `count` bits, from the last to the first.
std::uint16_t reversed(unsigned bits, unsigned count) {
  bits = (bits & 0x5555U) << 1U | (bits >> 1U & 0x5555U);
  bits = (bits & 0x3333U) << 2U | (bits >> 2U & 0x3333U);
  bits = (bits & 0x0F0FU) << 4U | (bits >> 4U & 0x0F0FU);
  bits = (bits & 0x00FFU) << 8U | (bits >> 8U & 0x00FFU);
  return static_cast<std::uint16_t>(bits >> (16 - count));
}

}  // namespace

// Counts are halved until no code is too long. That is seldom needed, and hardly worse than the
// best code without long ones.
void find_code_lengths(std::span<const std::uint32_t> counts, unsigned most_bits,
                       std::span<std::uint8_t> lengths) {
  Tree tree(counts);
  while (tree.find_lengths(lengths) > most_bits) tree.flatten();
}

// Codes of one length are consecutive numbers in the order of their symbols.
void find_code_bits(std::span<const std::uint8_t> lengths, std::span<std::uint16_t> bits) {
  std::array<std::uint16_t, kMostCodeBits + 1> next{};
  for (const std::uint8_t length : lengths) ++next[length];
  unsigned code = 0;
  for (unsigned length = 1; length <= kMostCodeBits; ++length) {
    const unsigned codes = next[length];
    next[length] = static_cast<std::uint16_t>(code);
    code = (code + codes) << 1U;
  }
  for (std::size_t symbol = 0; symbol < lengths.size(); ++symbol)
    if (lengths[symbol] != 0) bits[symbol] = reversed(next[lengths[symbol]]++, lengths[symbol]);
}

}  // namespace winperf::deflate
