#include "collectors/recorder/lives.h"

#include <algorithm>
#include <utility>

#include "collectors/recorder/thinning.h"

namespace winperf::recorder {
namespace {

constexpr std::uint32_t kNoLife = kNoCell;

std::optional<std::size_t> counter_called(const CountersetSchema& schema, std::string_view name) {
  for (std::size_t column = 0; column < schema.counters.size(); ++column)
    if (is_called(schema.counters[column], name)) return column;
  return std::nullopt;
}

}  // namespace

std::expected<Lives, Error> Lives::open(const Track& track, std::string_view counter,
                                        Ticks100ns since, Ticks100ns until) {
  auto reels = open_reels(track, since, until);
  if (!reels) return std::unexpected(reels.error());
  return open(*std::move(reels), counter);
}

std::expected<Lives, Error> Lives::open(SharedReels reels, std::string_view counter) {
  Lives lives;
  lives.reels_ = std::move(reels);
  for (const Reel& reel : lives.reels_->parts) {
    if (auto added = lives.add_section(reel, counter); !added)
      return std::unexpected(added.error());
    lives.link(lives.sections_.size() - 1);
  }
  std::erase_if(lives.lives_, [](const Life& life) { return life.points.empty(); });
  return lives;
}

std::expected<void, Error> Lives::add_section(const Reel& reel, std::string_view counter) {
  Section& section =
      sections_.emplace_back(Section{.reel = reel, .counter = {}, .place = {}, .cells = {}});
  const CountersetSchema& schema = *reel.shape().schema;
  const auto column = counter_called(schema, counter);
  if (!column) return {};
  auto cells = reel.column(*column);
  if (!cells) return std::unexpected(cells.error());
  section.cells = *std::move(cells);
  section.counter = &schema.counters[*column];
  section.place = &reel.shape().layout->columns[*column];
  needs_previous_ = section.place->type.needs_previous;
  return {};
}

// Rows of frames before the time continue lives, too, as long as they are in the same chunks.
void Lives::link(std::size_t section) {
  const std::vector<Frame>& frames = sections_[section].reel.frames();
  const std::vector<bool>& wanted = reels_->wanted[section];
  for (std::size_t i = 0; i < frames.size(); ++i) {
    const Frame& frame = frames[i];
    std::vector<std::uint32_t> lives(frame.rows, kNoLife);
    if (wanted[i]) moments_.push_back({.section = section, .frame = i});
    for (std::uint32_t row = 0; row < frame.rows; ++row) {
      const std::uint32_t before = row_before(frame, row);
      if (before < life_of_row_.size()) lives[row] = life_of_row_[before];
      if (lives[row] == kNoLife) {
        lives[row] = static_cast<std::uint32_t>(lives_.size());
        lives_.emplace_back();
      }
      if (!wanted[i] || sections_[section].counter == nullptr) continue;
      Life& life = lives_[lives[row]];
      life.points.push_back({static_cast<std::uint32_t>(moments_.size() - 1), row});
      if (row < frame.instances->instances.size()) life.instance = frame.instances->instances[row];
    }
    life_of_row_ = std::move(lives);
  }
}

std::size_t Lives::cell(const Point& point) const {
  const Moment& moment = moments_[point.moment];
  return sections_[moment.section].reel.first_cell(moment.frame) + point.row;
}

NoValue Lives::interruption(const Life& life, std::size_t from, std::size_t to) const {
  for (std::size_t moment = life.points[from].moment + 1; moment <= life.points[to].moment;
       ++moment)
    if (frame(moment).broken != NoValue::kNone) return frame(moment).broken;
  for (std::size_t i = from + 1; i <= to; ++i) {
    const Point& point = life.points[i];
    const ColumnCells& cells = sections_[moments_[point.moment].section].cells;
    if (const NoValue reason = interruption_at(cells, cell(point)); reason != NoValue::kNone)
      return reason;
  }
  return NoValue::kNone;
}

namespace {

// One cell of a recorded column, as the cooker takes it.
struct CookedCell {
  std::uint64_t value = 0;
  std::uint64_t base = 0;
  std::uint32_t value_bytes = 0;
  std::uint32_t base_bytes = 0;
  NoValue reason = NoValue::kNone;
  Clocks clocks;

  RawColumn column() const {
    return {.value = std::span(&value, 1),
            .base = base_bytes != 0 ? std::span(&base, 1) : std::span<const std::uint64_t>(),
            .reason = std::span(&reason, 1),
            .own_clocks = {},
            .clocks = &clocks};
  }
};

// What reading gave: the reasons of cooking are found again.
NoValue reason_of_reading(NoValue reason) {
  return has_raw(reason) && reason != NoValue::kNoBase ? NoValue::kNone : reason;
}

CookedCell cell_to_cook(const CounterSchema& counter, const ColumnCells& cells, std::size_t cell,
                        const Frame& frame) {
  return {.value = cells.at(Part::kRaw, cell),
          .base = cells.at(Part::kBase, cell),
          .value_bytes = counter.size,
          .base_bytes = counter.has_base ? counter.base_size : 0,
          .reason = reason_of_reading(cells.reason_at(Part::kReason, cell)),
          .clocks = clocks_at(cells, cell, frame.clocks)};
}

// If a number of 32 bits has wrapped since another cell, as its totals say, it becomes one of 64.
// (These may have begun anew, with the program.)
void widen(std::uint64_t wrapped, std::uint64_t& number, std::uint32_t& bytes) {
  const bool began_anew = wrapped >> 63U != 0;
  if (wrapped == 0 || began_anew || bytes != sizeof(std::uint32_t)) return;
  number += wrapped;
  bytes = sizeof(std::uint64_t);
}

bool is_same_type(const CounterSchema& a, const CounterSchema& b) {
  return a.type == b.type && a.size == b.size && a.has_base == b.has_base &&
         a.base_size == b.base_size;
}

}  // namespace

std::expected<double, NoValue> Lives::cooked(const Life& life, std::size_t from,
                                             std::size_t to) const {
  const Section& now = sections_[moments_[life.points[to].moment].section];
  const Section& before = sections_[moments_[life.points[from].moment].section];
  const CounterTypeInfo& type = now.place->type;
  if (type.needs_previous)
    if (const NoValue reason = interruption(life, from, to); reason != NoValue::kNone)
      return std::unexpected(reason);
  const std::size_t cell_now = cell(life.points[to]);
  const std::size_t cell_before = cell(life.points[from]);
  CookedCell last = cell_to_cook(*now.counter, now.cells, cell_now, frame(life.points[to].moment));
  const CookedCell first =
      cell_to_cook(*before.counter, before.cells, cell_before, frame(life.points[from].moment));
  const bool same_type = is_same_type(*before.counter, *now.counter);
  if (type.needs_previous && same_type && type.formula != Formula::kDelta) {
    const auto wrapped = [&](Part total) {
      return now.cells.at(total, cell_now) - before.cells.at(total, cell_before);
    };
    widen(wrapped(Part::kTotal), last.value, last.value_bytes);
    // Others are measured by the base itself, not by its growth.
    if (type.base != BaseKind::kMulti) widen(wrapped(Part::kBaseTotal), last.base, last.base_bytes);
  }
  double value = 0;
  NoValue reason = last.reason;
  ColumnCooker().cook({.type = type,
                       .reading = now.counter->reading,
                       .value_bytes = last.value_bytes,
                       .base_bytes = last.base_bytes,
                       .now = last.column(),
                       .before = same_type && from != to ? first.column() : RawColumn{},
                       .type_changed = !same_type,
                       .was_reset = {}},
                      {}, std::span(&value, 1), std::span(&reason, 1));
  if (reason != NoValue::kNone) return std::unexpected(reason);
  return value;
}

std::optional<GaugeRange> Lives::range(const Point& point) const {
  const Section& section = sections_[moments_[point.moment].section];
  const Frame& frame = this->frame(point.moment);
  if (!is_gauge(*section.counter, section.place->type)) return std::nullopt;
  const std::size_t cell = this->cell(point);
  const std::int64_t raw =
      gauge_number(*section.counter, section.place->type, section.cells.at(Part::kRaw, cell));
  const auto number = [&](Part more) {
    return static_cast<double>(
        static_cast<std::int64_t>(static_cast<std::uint64_t>(raw) + section.cells.at(more, cell)));
  };
  GaugeRange range;
  range.count = frame.skipped - section.cells.at(Part::kAbsent, cell);
  const auto value = static_cast<double>(raw);
  if (range.count != 0) {
    range.lowest = number(Part::kLowest);
    range.highest = number(Part::kHighest);
    range.sum = static_cast<double>(range.count) * value +
                static_cast<double>(static_cast<std::int64_t>(section.cells.at(Part::kSum, cell)));
  }
  if (section.cells.reason_at(Part::kReason, cell) == NoValue::kNone) {
    range.lowest = range.count == 0 ? value : std::min(range.lowest, value);
    range.highest = range.count == 0 ? value : std::max(range.highest, value);
    range.sum += value;
    ++range.count;
  }
  if (range.count == 0) return std::nullopt;
  return range;
}

}  // namespace winperf::recorder
