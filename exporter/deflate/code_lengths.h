// How a block describes its two codes: by the lengths of their codes, compressed in turn. Source:
// RFC 1951, section 3.2.7. Thread rule: one thread.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "exporter/deflate/bit_writer.h"
#include "exporter/deflate/huffman_code.h"
#include "exporter/deflate/symbols.h"

namespace winperf::deflate {

class CodeLengths {
 public:
  CodeLengths(std::span<const std::uint8_t, kLiteralSymbols> literals,
              std::span<const std::uint8_t, kDistanceSymbols> distances);

  std::size_t bits() const;
  void write(BitWriter& to) const;

 private:
  static constexpr std::size_t kSymbols = 19;
  static constexpr unsigned kMostBits = 7;

  void add(std::span<const std::uint8_t> lengths);
  void add(Symbol symbol) {
    symbols_[symbol_count_++] = symbol;
    ++counts_[symbol.symbol];
  }

  std::size_t literals_;  // up to the last one that is in the code
  std::size_t distances_;
  // The lengths and their repetitions.
  std::array<Symbol, kLiteralSymbols + kDistanceSymbols> symbols_;
  std::size_t symbol_count_ = 0;
  HuffmanCode<kSymbols>::Counts counts_{};
  std::optional<HuffmanCode<kSymbols>> code_;
  std::size_t written_lengths_ = kSymbols;  // of that code
};

}  // namespace winperf::deflate
