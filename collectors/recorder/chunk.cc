#include "collectors/recorder/chunk.h"

#include <algorithm>
#include <optional>

#include "collectors/recorder/frame_codec.h"

namespace winperf::recorder {
namespace {

constexpr unsigned kLowOfFrames = 5;
constexpr unsigned kLowOfSection = 6;
// What an allocation takes besides its bytes, and a shared one besides that.
constexpr std::size_t kAllocation = 2 * sizeof(void*);
constexpr std::size_t kShared = 2 * sizeof(void*) + kAllocation;

constexpr Prediction kSteady[] = {Prediction::kBefore};
constexpr Prediction kMoving[] = {Prediction::kBefore, Prediction::kTrend};
constexpr Prediction kClock[] = {Prediction::kBefore, Prediction::kNeighbour};
constexpr Prediction kRare[] = {Prediction::kBefore, Prediction::kZero};

// A single frame has no trend.
std::span<const Prediction> predictions_of(std::size_t part, bool is_single) {
  if (part >= kFirstLeftOutPart) return kRare;
  if (part >= static_cast<std::size_t>(Part::kPerfTime)) return kClock;
  const bool moves =
      part == static_cast<std::size_t>(Part::kRaw) || part == static_cast<std::size_t>(Part::kBase);
  if (moves && !is_single) return kMoving;
  return kSteady;
}

std::size_t memory_of(const std::string& text) {
  const bool is_inside = text.capacity() <= std::string().capacity();
  return is_inside ? 0 : text.capacity() + 1 + kAllocation;
}

std::size_t memory_of(const CountersetSchema& schema) {
  std::size_t bytes = sizeof schema + kShared + memory_of(schema.name) + memory_of(schema.help) +
                      memory_of(schema.machine) + kAllocation +
                      schema.counters.capacity() * sizeof(CounterSchema);
  for (const CounterSchema& counter : schema.counters) {
    bytes += memory_of(counter.name) + memory_of(counter.local_name) + memory_of(counter.help);
    if (!counter.reading.unknown.empty())
      bytes += counter.reading.unknown.capacity() * sizeof(std::uint64_t) + kAllocation;
  }
  return bytes;
}

Error damage(std::size_t offset, std::size_t size) {
  return {
      .code = ErrorCode::kBadOffset, .where = "recorder.chunk", .offset = offset, .actual = size};
}

}  // namespace

std::shared_ptr<const Shape> shape_of(const CountersetSample& sample) {
  const std::size_t layout = sizeof(SampleLayout) + kShared + kAllocation +
                             sample.layout->columns.capacity() * sizeof(SampleLayout::Column);
  return std::make_shared<const Shape>(
      Shape{.schema = sample.schema,
            .layout = sample.layout,
            .memory = sizeof(Shape) + kShared + layout + memory_of(*sample.schema)});
}

std::size_t Chunk::memory() const {
  return sizeof(Chunk) + kShared + bytes.capacity() + kAllocation;
}

void ChunkWriter::begin(const Shape& shape, std::span<const Frame> frames, const Frame* before) {
  order_ = order_of(frames, before != nullptr ? std::optional(before->rows) : std::nullopt);
  sections_.clear();
  ends_.clear();
  write_frames(frames, before, shape.schema->multi_instance, sections_);
  sections_.align();
  ends_.push_back(sections_.bytes().size());
}

void ChunkWriter::write_column() {
  const bool is_single = order_.known != 0;
  for (std::size_t part = 0; part < kParts; ++part) {
    auto& numbers = cells_.parts[part];
    sections_.flag(!numbers.empty());
    if (numbers.empty()) continue;
    numbers.resize(order_.size());
    numbers_.write(numbers, order_, predictions_of(part, is_single), sections_);
  }
  sections_.align();
  ends_.push_back(sections_.bytes().size());
}

std::shared_ptr<const Chunk> ChunkWriter::end(std::shared_ptr<const Shape> shape, Level level,
                                              std::span<const Frame> frames, bool continues) const {
  BitWriter head;
  head.number(frames.size(), kLowOfFrames);
  std::size_t begin = 0;
  for (const std::size_t end : ends_) {
    head.number(end - begin, kLowOfSection);
    begin = end;
  }
  head.align();
  auto chunk = std::make_shared<Chunk>();
  chunk->shape = std::move(shape);
  chunk->level = level;
  chunk->continues = continues;
  chunk->frames = static_cast<std::uint32_t>(frames.size());
  for (const Frame& frame : frames) chunk->rows += frame.rows;
  chunk->first = frames.front().at;
  chunk->last = frames.back().at;
  chunk->bytes.reserve(head.bytes().size() + sections_.bytes().size());
  chunk->bytes.insert(chunk->bytes.end(), head.bytes().begin(), head.bytes().end());
  chunk->bytes.insert(chunk->bytes.end(), sections_.bytes().begin(), sections_.bytes().end());
  return chunk;
}

std::expected<ChunkReader, Error> ChunkReader::open(const Chunk& chunk, const Frame* before) {
  ChunkReader reader(chunk);
  if (auto read = reader.read_frames(before); !read) return std::unexpected(read.error());
  return reader;
}

std::expected<void, Error> ChunkReader::read_frames(const Frame* before) {
  const std::span<const std::byte> bytes = chunk_->bytes;
  const CountersetSchema& schema = *chunk_->shape->schema;
  BitReader head(bytes);
  const std::uint64_t frames = head.number(kLowOfFrames);
  std::vector<std::uint64_t> lengths;
  for (std::size_t i = 0; i <= schema.counters.size(); ++i)
    lengths.push_back(head.number(kLowOfSection));
  head.align();
  if (head.failed() || frames == 0 || frames > kMostFrames)
    return std::unexpected(damage(head.byte(), bytes.size()));
  ends_.push_back(head.byte());
  for (const std::uint64_t length : lengths) {
    if (length > bytes.size() - ends_.back())
      return std::unexpected(damage(ends_.back(), bytes.size()));
    ends_.push_back(ends_.back() + static_cast<std::size_t>(length));
  }
  BitReader in(bytes.subspan(ends_[0], ends_[1] - ends_[0]));
  if (!recorder::read_frames(in, static_cast<std::size_t>(frames), before, schema.multi_instance,
                             frames_))
    return std::unexpected(damage(ends_[0], ends_[1]));
  order_ = order_of(frames_, before != nullptr ? std::optional(before->rows) : std::nullopt);
  return {};
}

std::expected<void, Error> ChunkReader::add_column(std::size_t column, std::size_t first,
                                                   ColumnCells& cells) const {
  const std::size_t begin = ends_[column + 1];
  const std::size_t end = ends_[column + 2];
  BitReader in(std::span(chunk_->bytes).subspan(begin, end - begin));
  for (std::size_t part = 0; part < kParts; ++part) {
    auto& numbers = cells.parts[part];
    const bool is_here = in.flag();
    if (!is_here && numbers.empty()) continue;
    numbers.resize(first + order_.size());
    if (!is_here) continue;
    const auto mine = std::span(numbers).subspan(first);
    if (!read_numbers(in, order_, mine)) return std::unexpected(damage(begin, end));
    const bool is_reason = part == static_cast<std::size_t>(Part::kReason) ||
                           part == static_cast<std::size_t>(Part::kBroken);
    if (is_reason && std::ranges::any_of(mine, [](auto reason) { return reason >= kNoValueCount; }))
      return std::unexpected(damage(begin, end));
  }
  return {};
}

}  // namespace winperf::recorder
