// A Huffman code: shorter bits for symbols that occur more often. Source: RFC 1951, section 3.2.2.
//
// A code is always complete: some readers refuse one that isn't, so there are at least two symbols
// in it, whether they occur or not. Errors: none. Thread rule: a value.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace winperf::deflate {

inline constexpr std::size_t kMostSymbols = 286;
inline constexpr unsigned kMostCodeBits = 15;

// `lengths` of as many symbols, at most kMostSymbols; `most_bits`: enough to number all of them,
// and one more. The sum of the counts fits into 32 bits.
void find_code_lengths(std::span<const std::uint32_t> counts, unsigned most_bits,
                       std::span<std::uint8_t> lengths);

// As the writer wants them: the first bit of the code is the lowest.
void find_code_bits(std::span<const std::uint8_t> lengths, std::span<std::uint16_t> bits);

template <std::size_t kSymbols>
struct HuffmanCode {
  using Counts = std::array<std::uint32_t, kSymbols>;

  explicit HuffmanCode(const Counts& counts, unsigned most_bits = kMostCodeBits) {
    static_assert(kSymbols <= kMostSymbols);
    find_code_lengths(counts, most_bits, lengths);
    find_code_bits(lengths, bits);
  }

  std::array<std::uint8_t, kSymbols> lengths{};  // 0: not in the code
  std::array<std::uint16_t, kSymbols> bits{};
};

}  // namespace winperf::deflate
