#include "collectors/recorder/recorder.h"

#include <algorithm>
#include <ranges>
#include <utility>

#include "collectors/sampling/selected_instances.h"

namespace winperf::recorder {
namespace {

// A tail of single samples becomes one chunk at the end of a minute, once it is that long; and
// wherever it is, if it is very long or large.
constexpr std::size_t kTail = 24;
constexpr std::size_t kLongestTail = 150;
constexpr std::size_t kTailsOfBudget = 16;
// A thinned chunk of so many samples isn't made longer.
constexpr std::size_t kThinned = 30;
static_assert(kThinned + kLongestTail < kMostFrames);

bool is_same_schema(const CountersetSchema& a, const CountersetSchema& b) {
  return a.path == b.path && a.machine == b.machine && a.index == b.index && a.guid == b.guid &&
         a.help_index == b.help_index && a.name == b.name && a.help == b.help &&
         a.detail_level == b.detail_level && a.multi_instance == b.multi_instance &&
         a.nameless == b.nameless && a.counters == b.counters;
}

bool is_same_layout(const SampleLayout& a, const SampleLayout& b) {
  return a.more == b.more &&
         std::ranges::equal(a.columns, b.columns, [](const auto& one, const auto& other) {
           return one.base == other.base && one.total == other.total &&
                  one.base_total == other.base_total;
         });
}

// A reload makes new schemas, with the same content.
bool has_shape(const Shape* shape, const CountersetSample& sample) {
  return shape != nullptr &&
         (shape->schema == sample.schema || is_same_schema(*shape->schema, *sample.schema)) &&
         (shape->layout == sample.layout || is_same_layout(*shape->layout, *sample.layout));
}

// Where the tail begins: with the last chunk that continues none, if it is a single sample.
std::size_t tail_of(const std::vector<std::shared_ptr<const Chunk>>& chunks) {
  std::size_t begin = chunks.size();
  while (begin > 0 && chunks[begin - 1]->continues) --begin;
  const bool has_head =
      begin > 0 && chunks[begin - 1]->frames == 1 && chunks[begin - 1]->level == Level::kAll;
  return has_head ? begin - 1 : begin;
}

// Why values don't continue those of the sample before. The clocks may differ by a second, and by
// what a clock is slewed at most.
NoValue break_between(const Instant& before, const Instant& now,
                      std::chrono::milliseconds stale_after) {
  using Ticks = std::chrono::duration<std::int64_t, std::ratio<1, kTicks100nsPerSecond>>;
  constexpr std::chrono::seconds kTolerance{1};
  constexpr int kSlew = 1'000;
  const auto steady = std::chrono::duration_cast<Ticks>(now.steady - before.steady);
  const Ticks wall(now.wall.ticks - before.wall.ticks);
  const Ticks tolerance = kTolerance + steady / kSlew;
  if (wall < steady - tolerance) return NoValue::kClockBackwards;
  if (wall > steady + tolerance || steady > stale_after) return NoValue::kGap;
  return NoValue::kNone;
}

// Whether a counterset that was sampled then is no longer sampled.
bool is_over(const Instant& sampled_at, std::chrono::milliseconds stale_after, SteadyTime now) {
  return now - sampled_at.steady > std::max<SteadyTime::duration>(kAllFor, stale_after);
}

// An object without instances is another one if its process is.
std::vector<std::uint32_t> rows_continued(const CountersetSample* before,
                                          const CountersetSample& now) {
  if (before == nullptr || before->schema->multi_instance != now.schema->multi_instance)
    return std::vector(now.rows(), kNewInstance);
  if (!now.schema->multi_instance) {
    const bool is_new = before->owner && now.owner && before->owner != now.owner;
    return is_new ? std::vector{kNewInstance} : std::vector<std::uint32_t>();
  }
  if (before->instances == now.instances) return {};
  return match_instances(before->instances->instances, now.instances->instances);
}

}  // namespace

void Recorder::add(const Sample& sample) noexcept {
  if (budget_ == 0) return;
  try {
    record(sample);
  } catch (...) {  // std::bad_alloc, or std::length_error of a vector
    forget();
  }
}

void Recorder::change_budget(std::size_t bytes) noexcept {
  budget_ = bytes;
  if (budget_ == 0) return forget();
  if (lines_.empty()) return;
  try {
    owners_.limit(budget_ / kOwnersOfBudget);
    keep_budget();
    publish();
  } catch (...) {  // std::bad_alloc
    forget();
  }
}

void Recorder::note_owners(std::vector<ProcessOwner> processes, SteadyTime at) noexcept {
  if (budget_ == 0) return;
  SteadyTime oldest = SteadyTime::max();
  for (const Line& line : lines_ | std::views::values)
    if (!line.track->chunks.empty())
      oldest = std::min(oldest, line.track->chunks.front()->first.steady);
  try {
    owners_.note(std::move(processes), at, oldest, budget_ / kOwnersOfBudget);
  } catch (...) {  // std::bad_alloc
    owners_.forget();
  }
}

void Recorder::forget() noexcept {
  owners_.forget();
  lines_.clear();
  memory_ = 0;
  forget_scratch();
  slot_.publish(nullptr);
}

void Recorder::record(const Sample& sample) {
  SteadyTime now = SteadyTime::min();
  for (const CountersetState& state : sample.countersets)
    if (state.sample != nullptr) now = std::max(now, state.sampled_at.steady);
  for (const CountersetState& state : sample.countersets) {
    // One that fails keeps its last sample, which isn't recorded again.
    if (state.sample == nullptr || is_over(state.sampled_at, state.stale_after, now)) continue;
    Line& line = lines_[{state.machine, state.name}];
    if (line.track == nullptr)
      line.track = std::make_shared<const Track>(Track{state.machine, state.name, {}});
    if (line.last != state.sample) append(line, state);
  }
  if (now != SteadyTime::min())
    for (Line& line : lines_ | std::views::values) tidy(line, now);
  keep_budget();
  publish();
  forget_scratch();
}

// What the encoders have for large samples isn't part of the budget, so none is kept.
void Recorder::forget_scratch() {
  writer_ = {};
  thinning_ = {};
}

Frame Recorder::next_frame(const Line& line, const CountersetState& state) {
  const CountersetSample& sample = *state.sample;
  Frame frame{.at = state.sampled_at,
              .clocks = sample.clocks,
              .has_own_clocks = !sample.own_clocks.empty(),
              .owner = sample.owner,
              .instances_left_out = sample.instances_left_out,
              .instances = sample.instances,
              .rows = sample.rows(),
              .rows_before = rows_continued(line.last.get(), sample)};
  if (line.last == nullptr) return frame;
  forget_if_same(frame, line.frame.rows);
  frame.broken = break_between(line.frame.at, frame.at, line.stale_after);
  return frame;
}

void Recorder::append(Line& line, const CountersetState& state) {
  const CountersetSample& sample = *state.sample;
  if (sample.rows() > kMostRows) return;
  if (line.last == nullptr || !has_shape(line.shape.get(), sample)) {
    seal(line);
    line.shape = shape_of(sample);
  } else if (should_seal(line, state.sampled_at)) {
    seal(line);
  }
  auto chunks = line.track->chunks;
  const std::size_t tail = tail_of(chunks);
  const bool continues =
      line.last != nullptr && tail < chunks.size() && chunks[tail]->shape == line.shape;
  Frame frame = next_frame(line, state);
  line.stale_after = state.stale_after;
  chunks.push_back(
      writer_.write(line.shape, Level::kAll, std::span(&frame, 1),
                    continues ? &line.frame : nullptr, [&](std::size_t column, ColumnCells& cells) {
                      if (continues) append_column(*line.last, column, 0, cells);
                      append_column(sample, column, continues ? line.frame.rows : 0, cells);
                    }));
  frame.rows_before.clear();
  line.frame = std::move(frame);
  line.last = state.sample;
  set_chunks(line, std::move(chunks));
}

bool Recorder::should_seal(const Line& line, const Instant& next) const {
  const auto& chunks = line.track->chunks;
  const std::size_t tail = tail_of(chunks);
  const std::size_t count = chunks.size() - tail;
  if (count < 2) return false;
  std::size_t bytes = 0;
  for (std::size_t i = tail; i < chunks.size(); ++i) bytes += chunks[i]->memory();
  return count >= kLongestTail || bytes > budget_ / kTailsOfBudget ||
         (count >= kTail && !are_together(Level::kMinute, chunks.back()->last, next));
}

void Recorder::seal(Line& line) {
  const auto& chunks = line.track->chunks;
  const std::size_t tail = tail_of(chunks);
  const std::size_t count = chunks.size() - tail;
  if (count > 1) replace(line, tail, count, count, Level::kAll);
}

void Recorder::tidy(Line& line, SteadyTime now) {
  // A counterset that is no longer sampled holds none of the sampler's memory.
  if (line.last != nullptr && is_over(line.frame.at, line.stale_after, now)) {
    seal(line);
    line.last.reset();
    return;
  }
  const auto is_old = [&](Level level, SteadyTime::duration age) {
    for (const auto& chunk : line.track->chunks)
      if (chunk->level == level) return now - chunk->last.steady > age;
    return false;
  };
  if (is_old(Level::kAll, kAllFor) && thin(line, Level::kMinute)) return;
  if (is_old(Level::kMinute, kMinutesFor)) thin(line, Level::kFiveMinutes);
}

// The oldest chunk of the level below joins the newest one of this level, unless that one is long
// enough and ends with a period of the next level.
bool Recorder::thin(Line& line, Level level) {
  const auto& chunks = line.track->chunks;
  std::size_t first = 0;
  while (chunks[first]->level >= level) ++first;
  if (first >= tail_of(chunks)) return false;
  std::size_t kept = 0;
  if (first > 0) {
    const Chunk& before = *chunks[first - 1];
    const bool is_long = before.frames >= kThinned &&
                         !are_together(Level::kFiveMinutes, before.last, chunks[first]->first);
    const bool has_room = before.frames + chunks[first]->frames <= kMostFrames;
    if (before.level == level && before.shape == chunks[first]->shape && !is_long && has_room)
      kept = before.frames;
  }
  if (kept == 0)
    replace(line, first, 1, 0, level);
  else
    replace(line, first - 1, 2, kept, level);
  return true;
}

// What can't be read is left out, which doesn't happen.
void Recorder::replace(Line& line, std::size_t first, std::size_t count, std::size_t kept,
                       Level level) {
  auto chunks = line.track->chunks;
  const auto made = thinning_.run(std::span(chunks).subspan(first, count), kept, level);
  const auto begin = chunks.begin() + static_cast<std::ptrdiff_t>(first);
  const auto rest = chunks.erase(begin, begin + static_cast<std::ptrdiff_t>(count));
  if (made) chunks.insert(rest, *made);
  set_chunks(line, std::move(chunks));
}

void Recorder::set_chunks(Line& line, std::vector<std::shared_ptr<const Chunk>> chunks) {
  constexpr std::size_t kOverhead = 256;  // of allocations, and of the tree of lines
  auto track = std::make_shared<Track>(Track{line.track->machine, line.track->name, {}});
  chunks.shrink_to_fit();
  track->chunks = std::move(chunks);
  memory_ -= std::exchange(line.memory, 0);
  if (!track->chunks.empty())
    line.memory = sizeof(Line) + sizeof(Track) + kOverhead +
                  3 * (track->name.size() + track->machine.size()) +
                  track->chunks.capacity() * sizeof(track->chunks[0]);
  const Shape* shape = nullptr;
  for (const auto& chunk : track->chunks) {
    line.memory += chunk->memory();
    if (chunk->shape.get() != shape) line.memory += chunk->shape->memory;
    shape = chunk->shape.get();
  }
  memory_ += line.memory;
  line.track = std::move(track);
}

// A tail goes as a whole, because its samples are differences to the one before.
void Recorder::keep_budget() {
  while (memory_ + owners_.memory() > budget_) {
    Line* oldest = nullptr;
    for (Line& line : lines_ | std::views::values) {
      if (line.track->chunks.empty()) continue;
      if (oldest == nullptr ||
          line.track->chunks.front()->first.steady < oldest->track->chunks.front()->first.steady)
        oldest = &line;
    }
    if (oldest == nullptr) return;
    auto chunks = oldest->track->chunks;
    chunks.erase(chunks.begin(),
                 std::ranges::find_if(chunks.begin() + 1, chunks.end(),
                                      [](const auto& chunk) { return !chunk->continues; }));
    set_chunks(*oldest, std::move(chunks));
  }
  std::erase_if(lines_, [](const auto& entry) { return entry.second.track->chunks.empty(); });
}

void Recorder::publish() {
  if (lines_.empty()) return slot_.publish(nullptr);
  auto history = std::make_shared<History>();
  history->memory = memory_ + owners_.memory();
  history->budget = budget_;
  history->owners = owners_.owners();
  history->tracks.reserve(lines_.size());
  for (const Line& line : lines_ | std::views::values) history->tracks.push_back(line.track);
  slot_.publish(std::move(history));
}

}  // namespace winperf::recorder
