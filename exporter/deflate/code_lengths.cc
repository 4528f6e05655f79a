#include "exporter/deflate/code_lengths.h"

#include <algorithm>

namespace winperf::deflate {
namespace {

constexpr std::size_t kFewestLiterals = 257;
constexpr std::size_t kFewestDistances = 1;
constexpr std::size_t kFewestLengths = 4;

// Symbols that repeat a length, from the fewest times to the most.
struct Repetition {
  unsigned symbol = 0;
  unsigned extra_bits = 0;
  unsigned fewest = 0;

  unsigned most() const { return fewest + (1U << extra_bits) - 1; }
};
constexpr Repetition kLast{16, 2, 3};
constexpr Repetition kZero{17, 3, 3};
constexpr Repetition kManyZeros{18, 7, 11};

// The lengths of the code of lengths are in this order, so that the last ones are often 0.
constexpr std::array<std::uint8_t, 19> kOrder{16, 17, 18, 0, 8,  7, 9,  6, 10, 5,
                                              11, 4,  12, 3, 13, 2, 14, 1, 15};

// How many there are up to the last that isn't 0.
std::size_t used(std::span<const std::uint8_t> lengths, std::size_t fewest) {
  std::size_t count = lengths.size();
  while (count > fewest && lengths[count - 1] == 0) --count;
  return count;
}

}  // namespace

CodeLengths::CodeLengths(std::span<const std::uint8_t, kLiteralSymbols> literals,
                         std::span<const std::uint8_t, kDistanceSymbols> distances)
    : literals_(used(literals, kFewestLiterals)), distances_(used(distances, kFewestDistances)) {
  std::array<std::uint8_t, kLiteralSymbols + kDistanceSymbols> lengths{};
  // As one list: a repetition may go on from one code into the other.
  const auto end_of_literals = std::ranges::copy(literals.first(literals_), lengths.begin()).out;
  std::ranges::copy(distances.first(distances_), end_of_literals);
  add(std::span(lengths).first(literals_ + distances_));
  code_.emplace(counts_, kMostBits);
  while (written_lengths_ > kFewestLengths && code_->lengths[kOrder[written_lengths_ - 1]] == 0)
    --written_lengths_;
}

void CodeLengths::add(std::span<const std::uint8_t> lengths) {
  while (!lengths.empty()) {
    const std::uint8_t length = lengths.front();
    const auto other = std::ranges::find_if(lengths, [&](auto next) { return next != length; });
    auto run = static_cast<unsigned>(other - lengths.begin());
    lengths = lengths.subspan(run);
    const auto repeat = [&](const Repetition& repetition) {
      while (run >= repetition.fewest) {
        const unsigned times = std::min(run, repetition.most());
        add({repetition.symbol, times - repetition.fewest, repetition.extra_bits});
        run -= times;
      }
    };
    if (length == 0) {
      repeat(kManyZeros);
      repeat(kZero);
    } else {
      add({length, 0, 0});
      --run;
      repeat(kLast);
    }
    for (; run != 0; --run) add({length, 0, 0});
  }
}

std::size_t CodeLengths::bits() const {
  std::size_t bits = 5 + 5 + 4 + 3 * written_lengths_;
  for (const Symbol& symbol : std::span(symbols_).first(symbol_count_))
    bits += code_->lengths[symbol.symbol] + symbol.extra_bits;
  return bits;
}

void CodeLengths::write(BitWriter& to) const {
  to.put(literals_ - kFewestLiterals, 5);
  to.put(distances_ - kFewestDistances, 5);
  to.put(written_lengths_ - kFewestLengths, 4);
  for (const std::uint8_t symbol : std::span(kOrder).first(written_lengths_))
    to.put(code_->lengths[symbol], 3);
  for (const Symbol& symbol : std::span(symbols_).first(symbol_count_)) {
    to.put(code_->bits[symbol.symbol], code_->lengths[symbol.symbol]);
    to.put(symbol.extra, symbol.extra_bits);
  }
}

}  // namespace winperf::deflate
