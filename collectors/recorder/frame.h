// A recorded sample without its cells, and the cells of one column of several samples.
//
// Thread rule: values.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "collectors/model/sample.h"
#include "collectors/recorder/number_stream.h"
#include "collectors/sampling/selected_instances.h"

namespace winperf::recorder {

struct Frame {
  Instant at;  // when it was sampled, by this machine's clocks
  Clocks clocks;
  bool has_own_clocks = false;
  std::optional<std::uint64_t> owner{};
  std::uint64_t instances_left_out = 0;
  // Samples between the frame before and this one that are no longer kept.
  std::uint64_t skipped = 0;
  // Why none of its values continues one of the frame before: kClockBackwards or kGap.
  NoValue broken = NoValue::kNone;
  std::shared_ptr<const InstanceSet> instances;
  std::size_t rows = 0;
  // Of each row, the row of the frame before that it continues, or kNewInstance; empty: each is
  // where it was. The frame before may be in another chunk, or no longer kept.
  std::vector<std::uint32_t> rows_before{};
};

// The row of the frame before; kNewInstance if there is none.
inline std::uint32_t row_before(const Frame& frame, std::uint32_t row) {
  return frame.rows_before.empty() ? row : frame.rows_before[row];
}

// Empties rows_before if each row is where it was. `rows`: of the frame before.
void forget_if_same(Frame& frame, std::size_t rows);

// The arrays of a column. What can't be missing is stored as it is; the others are mostly 0, so
// that they cost nothing.
enum class Part : std::uint8_t {
  kRaw,
  kBase,
  kTotal,      // less the raw value
  kBaseTotal,  // less the base
  kReason,     // a NoValue
  // The times of the cell's own clocks less those of the sample.
  kPerfTime,
  kPerfFrequency,
  kTime100ns,
  kObjectTime,
  kObjectFrequency,
  // About the samples that were left out before the frame:
  kBroken,   // the first NoValue because of which the value doesn't continue the one before
  kLowest,   // of a gauge, less the raw value
  kHighest,  // of a gauge, less the raw value
  kSum,      // of the differences to the raw value
  kAbsent,   // in how many of them the gauge had no value
};
inline constexpr std::size_t kParts = static_cast<std::size_t>(Part::kAbsent) + 1;
inline constexpr std::size_t kFirstLeftOutPart = static_cast<std::size_t>(Part::kBroken);

// Of several frames, one after the other. An empty part is all 0.
struct ColumnCells {
  std::array<std::vector<std::uint64_t>, kParts> parts;

  std::vector<std::uint64_t>& operator[](Part part) {
    return parts[static_cast<std::size_t>(part)];
  }
  const std::vector<std::uint64_t>& operator[](Part part) const {
    return parts[static_cast<std::size_t>(part)];
  }
  std::uint64_t at(Part part, std::size_t cell) const {
    const auto& cells = (*this)[part];
    return cells.empty() ? 0 : cells[cell];
  }
  NoValue reason_at(Part part, std::size_t cell) const {
    return static_cast<NoValue>(at(part, cell));
  }
  void clear() {
    for (auto& part : parts) part.clear();
  }
};

// Adds the cells of a column of a sample to those of `cells`, of which there are `count`.
void append_column(const CountersetSample& sample, std::size_t column, std::size_t count,
                   ColumnCells& cells);
// Sets that column of a sample, from the cells that begin with `first`. The sample has its arrays.
void restore_column(const ColumnCells& cells, std::size_t first, std::size_t column,
                    CountersetSample& sample);

// The clocks of a cell.
Clocks clocks_at(const ColumnCells& cells, std::size_t cell, const Clocks& of_sample);

// Whether the counter moves between two samples without a trace: its value is the raw number.
bool is_gauge(const CounterSchema& counter, const CounterTypeInfo& type);
// The number that a raw value of a gauge is.
std::int64_t gauge_number(const CounterSchema& counter, const CounterTypeInfo& type,
                          std::uint64_t raw);

// The cells of frames in the order of their rows. `known`: the rows of the frame before the first
// one, if its cells come first; otherwise nothing continues what is before the first frame.
CellOrder order_of(std::span<const Frame> frames, std::optional<std::size_t> known);

}  // namespace winperf::recorder
