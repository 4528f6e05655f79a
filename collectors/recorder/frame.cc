#include "collectors/recorder/frame.h"

#include <algorithm>

namespace winperf::recorder {
namespace {

constexpr Part kClockParts[] = {Part::kPerfTime, Part::kPerfFrequency, Part::kTime100ns,
                                Part::kObjectTime, Part::kObjectFrequency};

using ClockNumbers = std::array<std::uint64_t, std::size(kClockParts)>;

ClockNumbers numbers_of(const Clocks& clocks) {
  return {static_cast<std::uint64_t>(clocks.perf_time.ticks),
          static_cast<std::uint64_t>(clocks.perf_frequency.ticks_per_second),
          static_cast<std::uint64_t>(clocks.time_100ns.ticks),
          static_cast<std::uint64_t>(clocks.object_time.ticks),
          static_cast<std::uint64_t>(clocks.object_frequency.ticks_per_second)};
}

Clocks clocks_of_numbers(const ClockNumbers& numbers) {
  const auto ticks = [&](std::size_t i) { return static_cast<std::int64_t>(numbers[i]); };
  return {.perf_time = {ticks(0)},
          .perf_frequency = {ticks(1)},
          .time_100ns = {ticks(2)},
          .object_time = {ticks(3)},
          .object_frequency = {ticks(4)}};
}

// The part, with 0 for the cells before.
std::vector<std::uint64_t>& grown(ColumnCells& cells, Part part, std::size_t count) {
  auto& numbers = cells[part];
  numbers.resize(count);
  return numbers;
}

// Adds what an array has more than another one. Nothing, if the part is empty and has nothing.
void append_less(std::span<const std::uint64_t> numbers, std::span<const std::uint64_t> others,
                 std::size_t count, Part part, ColumnCells& cells) {
  const auto other = [&](std::size_t row) { return others.empty() ? 0 : others[row]; };
  bool any = !cells[part].empty();
  for (std::size_t row = 0; row < numbers.size() && !any; ++row) any = numbers[row] != other(row);
  if (!any) return;
  auto& all = grown(cells, part, count);
  for (std::size_t row = 0; row < numbers.size(); ++row) all.push_back(numbers[row] - other(row));
}

}  // namespace

void forget_if_same(Frame& frame, std::size_t rows) {
  if (frame.rows_before.size() != rows || frame.rows != rows) return;
  for (std::uint32_t row = 0; row < rows; ++row)
    if (frame.rows_before[row] != row) return;
  frame.rows_before.clear();
}

void append_column(const CountersetSample& sample, std::size_t column, std::size_t count,
                   ColumnCells& cells) {
  const std::size_t rows = sample.rows();
  const std::size_t first = column * rows;
  const auto raw = std::span(sample.raw).subspan(first, rows);
  const SampleLayout::Column& place = sample.layout->columns[column];
  const auto base = sample.more_column(place.base);
  auto& all = grown(cells, Part::kRaw, count);
  all.insert(all.end(), raw.begin(), raw.end());
  append_less(base, {}, count, Part::kBase, cells);
  append_less(sample.more_column(place.total), raw, count, Part::kTotal, cells);
  append_less(sample.more_column(place.base_total), base, count, Part::kBaseTotal, cells);
  const auto reasons = std::span(sample.reason).subspan(first, rows);
  if (std::ranges::any_of(reasons, [](NoValue reason) { return reason != NoValue::kNone; }))
    for (auto& parts = grown(cells, Part::kReason, count); const NoValue reason : reasons)
      parts.push_back(static_cast<std::uint64_t>(reason));
  if (sample.own_clocks.empty()) return;
  const ClockNumbers of_sample = numbers_of(sample.clocks);
  for (std::size_t row = 0; row < rows; ++row) {
    const ClockNumbers own = numbers_of(sample.own_clocks[first + row]);
    for (std::size_t i = 0; i < own.size(); ++i)
      if (own[i] != of_sample[i])
        grown(cells, kClockParts[i], count + row).push_back(own[i] - of_sample[i]);
  }
}

void restore_column(const ColumnCells& cells, std::size_t first, std::size_t column,
                    CountersetSample& sample) {
  const std::size_t rows = sample.rows();
  const SampleLayout::Column& place = sample.layout->columns[column];
  const auto base = sample.more_column(place.base);
  const auto total = sample.more_column(place.total);
  const auto base_total = sample.more_column(place.base_total);
  for (std::size_t row = 0; row < rows; ++row) {
    const std::size_t from = first + row;
    const std::size_t cell = column * rows + row;
    sample.raw[cell] = cells.at(Part::kRaw, from);
    sample.reason[cell] = cells.reason_at(Part::kReason, from);
    if (!base.empty()) base[row] = cells.at(Part::kBase, from);
    if (!total.empty()) total[row] = sample.raw[cell] + cells.at(Part::kTotal, from);
    if (!base_total.empty())
      base_total[row] = (base.empty() ? 0 : base[row]) + cells.at(Part::kBaseTotal, from);
    if (!sample.own_clocks.empty()) sample.own_clocks[cell] = clocks_at(cells, from, sample.clocks);
  }
}

Clocks clocks_at(const ColumnCells& cells, std::size_t cell, const Clocks& of_sample) {
  const bool has_own =
      std::ranges::any_of(kClockParts, [&](Part part) { return !cells[part].empty(); });
  if (!has_own) return of_sample;
  ClockNumbers numbers = numbers_of(of_sample);
  for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] += cells.at(kClockParts[i], cell);
  return clocks_of_numbers(numbers);
}

bool is_gauge(const CounterSchema& counter, const CounterTypeInfo& type) {
  const bool has_number =
      counter.size == sizeof(std::uint32_t) || counter.size == sizeof(std::uint64_t);
  return has_number && type.formula == Formula::kRaw && type.exposition == Exposition::kGauge &&
         !is_hexadecimal(type.type);
}

std::int64_t gauge_number(const CounterSchema& counter, const CounterTypeInfo& type,
                          std::uint64_t raw) {
  return negative_of(type, counter.reading, raw, counter.size)
      .value_or(static_cast<std::int64_t>(raw));
}

CellOrder order_of(std::span<const Frame> frames, std::optional<std::size_t> known) {
  CellOrder order{.known = known.value_or(0)};
  std::size_t frame_before = 0;
  std::size_t frame_now = order.known;
  bool has_before = known.has_value();
  for (const Frame& frame : frames) {
    for (std::uint32_t row = 0; row < frame.rows; ++row) {
      const std::uint32_t before = has_before ? row_before(frame, row) : kNewInstance;
      const bool continues = before != kNewInstance && frame_before + before < frame_now;
      order.before.push_back(continues ? static_cast<std::uint32_t>(frame_before + before)
                                       : kNoCell);
    }
    frame_before = frame_now;
    frame_now += frame.rows;
    has_before = true;
  }
  return order;
}

}  // namespace winperf::recorder
