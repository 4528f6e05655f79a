#include "collectors/recorder/reel.h"

#include <utility>

namespace winperf::recorder {
namespace {

// Whatever came before this chunk when it was made: rows continue only what is there.
void keep_within(Frame& frame, std::size_t rows) {
  if (frame.rows_before.empty() && frame.rows > rows)
    for (std::uint32_t row = 0; row < frame.rows; ++row) frame.rows_before.push_back(row);
  for (std::uint32_t& row : frame.rows_before)
    if (row >= rows) row = kNewInstance;
  forget_if_same(frame, rows);
}

}  // namespace

std::expected<Reel, Error> Reel::open(ChunkSpan chunks) {
  Reel reel;
  reel.shape_ = chunks.front()->shape.get();
  for (const auto& chunk : chunks)
    if (auto added = reel.add(*chunk); !added) return std::unexpected(added.error());
  return reel;
}

std::expected<void, Error> Reel::add(const Chunk& chunk) {
  const bool continues = chunk.continues && !frames_.empty();
  if (chunk.continues && !continues)
    return std::unexpected(Error{.code = ErrorCode::kBadOffset, .where = "recorder.reel"});
  auto reader = ChunkReader::open(chunk, continues ? &frames_.back() : nullptr);
  if (!reader) return std::unexpected(reader.error());
  begins_.push_back(continues ? first_cells_.back() : cells_);
  for (Frame& frame : reader->take_frames()) {
    if (!frames_.empty()) keep_within(frame, frames_.back().rows);
    first_cells_.push_back(cells_);
    cells_ += frame.rows;
    frames_.push_back(std::move(frame));
  }
  readers_.push_back(*std::move(reader));
  return {};
}

std::expected<ColumnCells, Error> Reel::column(std::size_t column) const {
  ColumnCells cells;
  for (std::size_t i = 0; i < readers_.size(); ++i)
    if (auto added = readers_[i].add_column(column, begins_[i], cells); !added)
      return std::unexpected(added.error());
  for (auto& part : cells.parts)
    if (!part.empty()) part.resize(cells_);
  return cells;
}

std::expected<std::vector<std::shared_ptr<const CountersetSample>>, Error> Reel::samples(
    const std::vector<bool>& wanted) const {
  std::vector<std::shared_ptr<CountersetSample>> samples(frames_.size());
  for (std::size_t i = 0; i < frames_.size(); ++i) {
    if (!wanted[i]) continue;
    const Frame& frame = frames_[i];
    samples[i] = std::make_shared<CountersetSample>();
    prepare(*samples[i], shape_->schema, shape_->layout, frame.instances, frame.clocks);
    samples[i]->cooked.clear();
    samples[i]->owner = frame.owner;
    samples[i]->instances_left_out = frame.instances_left_out;
    if (frame.has_own_clocks) samples[i]->own_clocks.resize(samples[i]->raw.size());
  }
  for (std::size_t column = 0; column < shape_->schema->counters.size(); ++column) {
    const auto cells = this->column(column);
    if (!cells) return std::unexpected(cells.error());
    for (std::size_t i = 0; i < samples.size(); ++i)
      if (samples[i] != nullptr) restore_column(*cells, first_cells_[i], column, *samples[i]);
  }
  return std::vector<std::shared_ptr<const CountersetSample>>(samples.begin(), samples.end());
}

}  // namespace winperf::recorder
