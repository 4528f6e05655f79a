// Makes one chunk of several: whole, or with fewer samples.
//
// Of each minute, or of five, the last sample is kept, and the last one of a chunk. What was left
// out before it becomes part of it (Frame::skipped, Part::kBroken and later ones).
// Thread rule: one thread.
#pragma once

#include <chrono>
#include <cstddef>
#include <expected>
#include <memory>
#include <vector>

#include "collectors/recorder/chunk.h"
#include "collectors/recorder/reel.h"

namespace winperf::recorder {

// The samples of a level are that far apart, by the steady clock; 0: all are kept.
constexpr std::chrono::minutes period_of(Level level) {
  switch (level) {
    case Level::kAll:
      return std::chrono::minutes(0);
    case Level::kMinute:
      return std::chrono::minutes(1);
    case Level::kFiveMinutes:
      break;
  }
  return std::chrono::minutes(5);
}

// Whether two samples are in the same period of the level.
bool are_together(Level level, const Instant& before, const Instant& now);

// Whether a value with this reason doesn't continue the one before.
bool is_interrupted(NoValue reason);
// Why the value of a cell doesn't continue the one before, be it the sample's own reason or one of
// those that were left out; kNone if it does.
NoValue interruption_at(const ColumnCells& cells, std::size_t cell);

class Thinning {
 public:
  // `kept`: the first frames, as many as are kept whatever their times.
  [[nodiscard]] std::expected<std::shared_ptr<const Chunk>, Error> run(ChunkSpan chunks,
                                                                       std::size_t kept,
                                                                       Level level);

 private:
  // The rows of an earlier frame that the rows of a kept one continue; kNewInstance: none.
  struct Trace {
    std::size_t frame = 0;
    std::vector<std::uint32_t> rows;
  };
  // A frame that is kept, and those that are left out before it, the oldest first.
  struct Kept {
    std::size_t frame = 0;
    std::vector<Trace> left_out;
  };

  void choose(const Reel& reel, std::size_t kept, Level level);
  void keep(const Reel& reel, std::size_t frame, std::size_t first_left_out);
  void thin_column(const Reel& reel, const ColumnCells& from, std::size_t column,
                   ColumnCells& to) const;
  static void sum_up_gauge(const Reel& reel, const Kept& kept, const ColumnCells& from,
                           std::size_t column, std::size_t first, ColumnCells& to);
  static void join_breaks(const Reel& reel, const Kept& kept, const ColumnCells& from,
                          std::size_t first, ColumnCells& to);

  ChunkWriter writer_;
  std::vector<Kept> kept_;
  std::vector<Frame> frames_;  // as they are kept
};

}  // namespace winperf::recorder
