// Encodes the numbers of one array of cells, most of which follow from the cells before them.
//
// What is encoded is the difference to what was predicted, divided by the greatest common divisor
// of all differences. A stream is a flag whether there is any difference; if so the prediction, the
// low bits of its numbers (bits.h), the divisor, and then in turn the length of a run without
// differences and a difference, up to the last cell.
// Thread rule: one thread for each writer; reading is pure.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "collectors/recorder/bits.h"

namespace winperf::recorder {

inline constexpr std::uint32_t kNoCell = std::numeric_limits<std::uint32_t>::max();

// The cells of an array, some of which the reader has already.
struct CellOrder {
  std::size_t known = 0;  // the first ones
  // Of each other cell, the cell that it continues, which comes before it; or kNoCell.
  std::vector<std::uint32_t> before{};

  std::size_t size() const { return known + before.size(); }
};

// From which a number is predicted. One without a cell before it is predicted as 0.
enum class Prediction : std::uint8_t {
  kZero,
  kBefore,     // it stays what it was
  kTrend,      // it changes as it changed before
  kNeighbour,  // it is that of the row above it
};

constexpr std::uint64_t zigzag(std::uint64_t difference) {
  return (difference << 1U) ^ (0 - (difference >> 63U));
}
constexpr std::uint64_t from_zigzag(std::uint64_t value) {
  return (value >> 1U) ^ (0 - (value & 1U));
}

class NumberWriter {
 public:
  // With that of the predictions which takes the fewest bits. `numbers`: one for each cell.
  void write(std::span<const std::uint64_t> numbers, const CellOrder& order,
             std::span<const Prediction> predictions, BitWriter& out);

 private:
  struct Difference {
    std::uint64_t run = 0;  // of cells without one, before it
    std::uint64_t value = 0;
  };
  // How an array would be encoded.
  struct Plan {
    Prediction prediction{};
    std::vector<Difference> differences;
    std::uint64_t rest = 0;  // cells after the last difference
    std::uint64_t divisor = 1;
    unsigned low = 0;
    std::uint64_t bits = 0;
  };

  static void collect(std::span<const std::uint64_t> numbers, const CellOrder& order, Plan& plan);
  static void divide(Plan& plan);
  static void choose_low(Plan& plan);
  static void emit(const Plan& plan, BitWriter& out);

  Plan best_;
  Plan other_;  // both are kept for their memory
};

// Sets the numbers after those that are known; false if the stream is damaged. `numbers`: one for
// each cell.
[[nodiscard]] bool read_numbers(BitReader& in, const CellOrder& order,
                                std::span<std::uint64_t> numbers);

}  // namespace winperf::recorder
