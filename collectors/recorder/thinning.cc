#include "collectors/recorder/thinning.h"

#include <algorithm>
#include <optional>
#include <utility>

namespace winperf::recorder {

bool are_together(Level level, const Instant& before, const Instant& now) {
  const SteadyTime::duration period = period_of(level);
  return period.count() != 0 &&
         before.steady.time_since_epoch() / period == now.steady.time_since_epoch() / period;
}

bool is_interrupted(NoValue reason) {
  return reason == NoValue::kCounterReset || reason == NoValue::kBaseReset ||
         reason == NoValue::kClockBackwards || reason == NoValue::kTypeChanged ||
         reason == NoValue::kGap;
}

NoValue interruption_at(const ColumnCells& cells, std::size_t cell) {
  for (const auto part : {Part::kBroken, Part::kReason})
    if (const NoValue reason = cells.reason_at(part, cell); is_interrupted(reason)) return reason;
  return NoValue::kNone;
}

std::expected<std::shared_ptr<const Chunk>, Error> Thinning::run(ChunkSpan chunks, std::size_t kept,
                                                                 Level level) {
  const auto reel = Reel::open(chunks);
  if (!reel) return std::unexpected(reel.error());
  choose(*reel, kept, level);
  std::optional<Error> error;
  auto chunk = writer_.write(chunks.front()->shape, level, frames_, nullptr,
                             [&](std::size_t column, ColumnCells& to) {
                               const auto cells = reel->column(column);
                               if (cells)
                                 thin_column(*reel, *cells, column, to);
                               else
                                 error = cells.error();
                             });
  if (error) return std::unexpected(*error);
  return chunk;
}

void Thinning::choose(const Reel& reel, std::size_t kept, Level level) {
  kept_.clear();
  frames_.clear();
  const std::vector<Frame>& frames = reel.frames();
  std::size_t first_left_out = 0;
  for (std::size_t i = 0; i < frames.size(); ++i) {
    const bool is_last = i + 1 == frames.size();
    if (i >= kept && !is_last && are_together(level, frames[i].at, frames[i + 1].at)) continue;
    keep(reel, i, first_left_out);
    first_left_out = i + 1;
  }
}

// Goes back from the frame that is kept through those that are left out.
void Thinning::keep(const Reel& reel, std::size_t frame, std::size_t first_left_out) {
  const std::vector<Frame>& frames = reel.frames();
  Kept kept{.frame = frame, .left_out = {}};
  Frame result = frames[frame];
  std::vector<std::uint32_t> rows;
  if (first_left_out < frame)
    for (std::uint32_t row = 0; row < result.rows; ++row) rows.push_back(row_before(result, row));
  for (std::size_t i = frame; i-- > first_left_out;) {
    const Frame& left_out = frames[i];
    for (std::uint32_t& row : rows)
      if (row >= left_out.rows) row = kNewInstance;
    kept.left_out.push_back({.frame = i, .rows = rows});
    for (std::uint32_t& row : rows)
      if (row != kNewInstance) row = row_before(left_out, row);
    result.skipped += 1 + left_out.skipped;
    if (left_out.broken != NoValue::kNone) result.broken = left_out.broken;
  }
  std::ranges::reverse(kept.left_out);
  if (first_left_out < frame) {
    result.rows_before = std::move(rows);
    if (!frames_.empty()) forget_if_same(result, frames_.back().rows);
  }
  kept_.push_back(std::move(kept));
  frames_.push_back(std::move(result));
}

void Thinning::thin_column(const Reel& reel, const ColumnCells& from, std::size_t column,
                           ColumnCells& to) const {
  const SampleLayout::Column& place = reel.shape().layout->columns[column];
  const bool sums_up = is_gauge(reel.shape().schema->counters[column], place.type);
  std::size_t first = 0;
  for (const Kept& kept : kept_) {
    const std::size_t rows = reel.frames()[kept.frame].rows;
    const auto begin = static_cast<std::ptrdiff_t>(reel.first_cell(kept.frame));
    for (std::size_t part = 0; part < kParts; ++part) {
      const auto& cells = from.parts[part];
      if (cells.empty()) continue;
      to.parts[part].insert(to.parts[part].end(), cells.begin() + begin,
                            cells.begin() + begin + static_cast<std::ptrdiff_t>(rows));
    }
    if (!kept.left_out.empty()) {
      join_breaks(reel, kept, from, first, to);
      if (sums_up) sum_up_gauge(reel, kept, from, column, first, to);
    }
    first += rows;
    for (auto& part : to.parts)
      if (!part.empty()) part.resize(first);
  }
}

// The oldest break counts, so later ones are set first.
void Thinning::join_breaks(const Reel& reel, const Kept& kept, const ColumnCells& from,
                           std::size_t first, ColumnCells& to) {
  if (from[Part::kReason].empty() && from[Part::kBroken].empty()) return;
  const std::size_t rows = reel.frames()[kept.frame].rows;
  for (std::size_t i = kept.left_out.size(); i-- > 0;) {
    const Trace& trace = kept.left_out[i];
    for (std::size_t row = 0; row < rows; ++row) {
      if (trace.rows[row] == kNewInstance) continue;
      const std::size_t cell = reel.first_cell(trace.frame) + trace.rows[row];
      const NoValue reason = interruption_at(from, cell);
      if (reason == NoValue::kNone) continue;
      auto& broken = to[Part::kBroken];
      broken.resize(first + rows);
      broken[first + row] = static_cast<std::uint64_t>(reason);
    }
  }
}

namespace {

// Values of a gauge, as differences to one of them, which doesn't count.
struct GaugeSum {
  std::int64_t zero = 0;
  std::uint64_t count = 0;
  std::int64_t lowest = 0;
  std::int64_t highest = 0;
  std::uint64_t sum = 0;  // modulo 2^64

  void add(std::int64_t low, std::int64_t high, std::uint64_t sum_to_zero, std::uint64_t values) {
    if (values == 0) return;
    lowest = count == 0 ? low : std::min(lowest, low);
    highest = count == 0 ? high : std::max(highest, high);
    sum += sum_to_zero;
    count += values;
  }
};

std::uint64_t less(std::int64_t number, std::int64_t other) {
  return static_cast<std::uint64_t>(number) - static_cast<std::uint64_t>(other);
}

std::int64_t plus(std::int64_t number, std::uint64_t difference) {
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(number) + difference);
}

}  // namespace

void Thinning::sum_up_gauge(const Reel& reel, const Kept& kept, const ColumnCells& from,
                            std::size_t column, std::size_t first, ColumnCells& to) {
  const CounterSchema& counter = reel.shape().schema->counters[column];
  const CounterTypeInfo& type = reel.shape().layout->columns[column].type;
  const auto number_at = [&](std::size_t cell) {
    return gauge_number(counter, type, from.at(Part::kRaw, cell));
  };
  // What a frame knows of those before it, and itself.
  const auto add = [&](GaugeSum& all, std::size_t frame, std::size_t cell, bool itself) {
    const std::int64_t number = number_at(cell);
    const std::uint64_t step = less(number, all.zero);
    const std::uint64_t known = reel.frames()[frame].skipped - from.at(Part::kAbsent, cell);
    all.add(plus(number, from.at(Part::kLowest, cell)), plus(number, from.at(Part::kHighest, cell)),
            from.at(Part::kSum, cell) + known * step, known);
    if (itself && from.reason_at(Part::kReason, cell) == NoValue::kNone)
      all.add(number, number, step, 1);
  };
  const std::size_t rows = reel.frames()[kept.frame].rows;
  std::uint64_t skipped = reel.frames()[kept.frame].skipped;
  for (const Trace& trace : kept.left_out) skipped += 1 + reel.frames()[trace.frame].skipped;
  for (const Part part : {Part::kLowest, Part::kHighest, Part::kSum, Part::kAbsent})
    to[part].resize(first + rows);
  for (std::size_t row = 0; row < rows; ++row) {
    const std::size_t cell = reel.first_cell(kept.frame) + row;
    GaugeSum all{.zero = number_at(cell)};
    for (const Trace& trace : kept.left_out)
      if (trace.rows[row] != kNewInstance)
        add(all, trace.frame, reel.first_cell(trace.frame) + trace.rows[row], true);
    add(all, kept.frame, cell, false);
    const bool any = all.count != 0;
    to[Part::kLowest][first + row] = any ? less(all.lowest, all.zero) : 0;
    to[Part::kHighest][first + row] = any ? less(all.highest, all.zero) : 0;
    to[Part::kSum][first + row] = all.sum;
    to[Part::kAbsent][first + row] = skipped - all.count;
  }
}

}  // namespace winperf::recorder
