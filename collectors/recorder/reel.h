// The frames of several chunks of one shape, one after the other, and their columns.
// Thread rule: one thread.
#pragma once

#include <cstddef>
#include <expected>
#include <memory>
#include <span>
#include <vector>

#include "collectors/recorder/chunk.h"

namespace winperf::recorder {

using ChunkSpan = std::span<const std::shared_ptr<const Chunk>>;

class Reel {
 public:
  // At least one chunk, of which the first one continues no other. Outlived by them.
  [[nodiscard]] static std::expected<Reel, Error> open(ChunkSpan chunks);

  const Shape& shape() const { return *shape_; }
  const std::vector<Frame>& frames() const { return frames_; }
  // Of a frame, in each column.
  std::size_t first_cell(std::size_t frame) const { return first_cells_[frame]; }
  std::size_t cells() const { return cells_; }
  // All cells of a column. Those of its parts that aren't empty are complete.
  [[nodiscard]] std::expected<ColumnCells, Error> column(std::size_t column) const;
  // Samples without `cooked`. `wanted`: by frame; the others are null.
  [[nodiscard]] std::expected<std::vector<std::shared_ptr<const CountersetSample>>, Error> samples(
      const std::vector<bool>& wanted) const;

 private:
  [[nodiscard]] std::expected<void, Error> add(const Chunk& chunk);

  const Shape* shape_ = nullptr;
  std::vector<ChunkReader> readers_;
  std::vector<std::size_t> begins_;  // of each reader: where its first known cell is
  std::vector<Frame> frames_;
  std::vector<std::size_t> first_cells_;
  std::size_t cells_ = 0;
};

}  // namespace winperf::recorder
