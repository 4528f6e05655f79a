// Samples of one counterset under one schema, encoded.
//
// Layout, in bits (bits.h): the number of frames, the lengths of all sections in bytes, and then
// each section from a byte on: that of the frames (times, clocks, instances), and one for each
// counter. A reader of one counter skips the others. In a counter's section each part (frame.h) has
// a flag whether it is there, and a stream of numbers with the cells of all frames.
//
// A chunk that continues the one before is encoded as differences to its last frame; every other
// one is whole.
// Errors: those of data that contradicts itself (kCorrupt).
// Thread rule: chunks never change; readers and writers belong to one thread each.
#pragma once

#include <cstddef>
#include <cstdint>
#include <expected>
#include <memory>
#include <span>
#include <vector>

#include "collectors/model/error.h"
#include "collectors/model/sample.h"
#include "collectors/recorder/bits.h"
#include "collectors/recorder/frame.h"
#include "collectors/recorder/number_stream.h"

namespace winperf::recorder {

// What all samples of a chunk have in common.
struct Shape {
  std::shared_ptr<const CountersetSchema> schema;
  std::shared_ptr<const SampleLayout> layout;
  std::size_t memory = 0;  // in bytes, with all texts
};
[[nodiscard]] std::shared_ptr<const Shape> shape_of(const CountersetSample& sample);

// How far apart its samples are (thinning.h).
enum class Level : std::uint8_t { kAll, kMinute, kFiveMinutes };

struct Chunk {
  std::shared_ptr<const Shape> shape;
  Level level = Level::kAll;
  bool continues = false;
  std::uint32_t frames = 0;
  std::uint64_t rows = 0;  // of all frames
  Instant first;
  Instant last;
  std::vector<std::byte> bytes;

  // In bytes, without the shape.
  std::size_t memory() const;
};

// More frames are never in a chunk.
inline constexpr std::size_t kMostFrames = 512;
// More rows are never in a sample.
inline constexpr std::size_t kMostRows = 1U << 20U;

class ChunkWriter {
 public:
  // `before`: null, or the frame that the first one continues, whose cells come first in those of
  // each column. `columns`: (std::size_t column, ColumnCells&), which sets the cells.
  template <class Columns>
  [[nodiscard]] std::shared_ptr<const Chunk> write(std::shared_ptr<const Shape> shape, Level level,
                                                   std::span<const Frame> frames,
                                                   const Frame* before, const Columns& columns) {
    begin(*shape, frames, before);
    for (std::size_t column = 0; column < shape->schema->counters.size(); ++column) {
      cells_.clear();
      columns(column, cells_);
      write_column();
    }
    return end(std::move(shape), level, frames, before != nullptr);
  }

 private:
  void begin(const Shape& shape, std::span<const Frame> frames, const Frame* before);
  void write_column();
  std::shared_ptr<const Chunk> end(std::shared_ptr<const Shape> shape, Level level,
                                   std::span<const Frame> frames, bool continues) const;

  CellOrder order_;
  ColumnCells cells_;
  NumberWriter numbers_;
  BitWriter sections_;
  std::vector<std::size_t> ends_;  // of the sections
};

class ChunkReader {
 public:
  // `before`: of a chunk that continues another one, that one's last frame; null otherwise.
  // Outlived by the chunk.
  [[nodiscard]] static std::expected<ChunkReader, Error> open(const Chunk& chunk,
                                                              const Frame* before);

  const std::vector<Frame>& frames() const { return frames_; }
  std::vector<Frame> take_frames() { return std::move(frames_); }
  // Adds the column's cells to `cells`. `order`: of the frames, and `first`: the first cell of the
  // frame before, if there is one.
  [[nodiscard]] std::expected<void, Error> add_column(std::size_t column, std::size_t first,
                                                      ColumnCells& cells) const;
  // How many cells the frame before and these have in a column.
  const CellOrder& order() const { return order_; }

 private:
  explicit ChunkReader(const Chunk& chunk) : chunk_(&chunk) {}
  [[nodiscard]] std::expected<void, Error> read_frames(const Frame* before);

  const Chunk* chunk_;
  std::vector<std::size_t> ends_;  // of the sections; the first one begins at ends_[0]
  std::vector<Frame> frames_;
  CellOrder order_;
};

}  // namespace winperf::recorder
