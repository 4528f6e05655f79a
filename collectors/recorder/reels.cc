#include "collectors/recorder/reels.h"

#include <algorithm>
#include <span>
#include <utility>

namespace winperf::recorder {
namespace {

// Its earliest time, also if the clock was set back.
Ticks100ns begin_of(const Chunk& chunk) { return std::min(chunk.first.wall, chunk.last.wall); }

// The chunks in which that time is, and the one before it. A chunk that continues another one needs
// all between.
ChunkSpan chunks_of(const Track& track, Ticks100ns since, Ticks100ns until) {
  const auto& chunks = track.chunks;
  std::size_t begin = 0;
  while (begin + 1 < chunks.size() && chunks[begin + 1]->first.wall <= since) ++begin;
  while (begin > 0 && chunks[begin]->continues) --begin;
  std::size_t end = begin;
  for (std::size_t i = begin; i < chunks.size(); ++i)
    if (begin_of(*chunks[i]) <= until) end = i + 1;
  return std::span(chunks).subspan(begin, end - begin);
}

// Calls `use` with those under one schema after the other.
template <class Use>
std::expected<void, Error> for_shapes(ChunkSpan chunks, const Use& use) {
  while (!chunks.empty()) {
    const auto other = std::ranges::find_if(
        chunks, [&](const auto& chunk) { return chunk->shape != chunks.front()->shape; });
    const auto count = static_cast<std::size_t>(other - chunks.begin());
    if (auto used = use(chunks.first(count)); !used) return used;
    chunks = chunks.subspan(count);
  }
  return {};
}

// The frames of the time, and the last one before it.
std::vector<bool> frames_of(const std::vector<Frame>& frames, Ticks100ns since, Ticks100ns until) {
  std::vector<bool> wanted(frames.size());
  for (std::size_t i = 0; i < frames.size(); ++i) {
    const bool is_before = frames[i].at.wall < since;
    const bool is_last = i + 1 == frames.size() || frames[i + 1].at.wall > since;
    wanted[i] = frames[i].at.wall <= until && (!is_before || is_last);
  }
  return wanted;
}

std::expected<void, Error> add_samples(ChunkSpan chunks, Ticks100ns since, Ticks100ns until,
                                       std::vector<RecordedSample>& result) {
  const auto reel = Reel::open(chunks);
  if (!reel) return std::unexpected(reel.error());
  auto samples = reel->samples(frames_of(reel->frames(), since, until));
  if (!samples) return std::unexpected(samples.error());
  for (std::size_t i = 0; i < samples->size(); ++i) {
    const Frame& frame = reel->frames()[i];
    if ((*samples)[i] != nullptr)
      result.push_back({frame.at, frame.skipped, std::move((*samples)[i])});
  }
  return {};
}

std::expected<std::shared_ptr<Reels>, Error> open_all(ChunkSpan chunks) {
  auto reels = std::make_shared<Reels>();
  const auto add = [&](ChunkSpan of_shape) -> std::expected<void, Error> {
    auto reel = Reel::open(of_shape);
    if (!reel) return std::unexpected(reel.error());
    reels->parts.push_back(*std::move(reel));
    return {};
  };
  if (const auto added = for_shapes(chunks, add); !added) return std::unexpected(added.error());
  return reels;
}

// Their times, the oldest first.
std::vector<Instant> want_last_two(Reels& reels, Ticks100ns moment) {
  std::vector<Instant> last;
  reels.wanted.resize(reels.parts.size());
  for (std::size_t part = reels.parts.size(); part-- > 0;) {
    const std::vector<Frame>& frames = reels.parts[part].frames();
    reels.wanted[part].resize(frames.size());
    for (std::size_t i = frames.size(); i-- > 0 && last.size() < 2;) {
      if (frames[i].at.wall > moment) continue;
      reels.wanted[part][i] = true;
      last.insert(last.begin(), frames[i].at);
    }
  }
  return last;
}

// Whether the counterset was still sampled in that moment. Samples are up to five minutes apart
// when they are thinned out, or as far as they were before.
bool tells_of(const std::vector<Instant>& last, Ticks100ns moment) {
  constexpr std::int64_t kFarthest = std::int64_t{10} * 60 * kTicks100nsPerSecond;
  if (last.empty()) return false;
  const std::int64_t apart = last.back().wall.ticks - last.front().wall.ticks;
  return moment.ticks - last.back().wall.ticks <= std::max(kFarthest, 2 * apart);
}

}  // namespace

std::expected<std::vector<RecordedSample>, Error> recorded_samples(const Track& track,
                                                                   Ticks100ns since,
                                                                   Ticks100ns until) {
  std::vector<RecordedSample> result;
  const auto added = for_shapes(chunks_of(track, since, until), [&](ChunkSpan chunks) {
    return add_samples(chunks, since, until, result);
  });
  if (!added) return std::unexpected(added.error());
  return result;
}

std::expected<std::vector<Instant>, Error> recorded_times(const Track& track, Ticks100ns since,
                                                          Ticks100ns until) {
  std::vector<Instant> result;
  const auto add = [&](ChunkSpan chunks) -> std::expected<void, Error> {
    const auto reel = Reel::open(chunks);
    if (!reel) return std::unexpected(reel.error());
    const auto& frames = reel->frames();
    const std::vector<bool> wanted = frames_of(frames, since, until);
    for (std::size_t i = 0; i < frames.size(); ++i)
      if (wanted[i]) result.push_back(frames[i].at);
    return {};
  };
  if (const auto added = for_shapes(chunks_of(track, since, until), add); !added)
    return std::unexpected(added.error());
  return result;
}

std::expected<SharedReels, Error> open_reels(const Track& track, Ticks100ns since,
                                             Ticks100ns until) {
  auto reels = open_all(chunks_of(track, since, until));
  if (!reels) return std::unexpected(reels.error());
  for (const Reel& reel : (*reels)->parts)
    (*reels)->wanted.push_back(frames_of(reel.frames(), since, until));
  return reels;
}

std::expected<SharedReels, Error> open_moment(const Track& track, Ticks100ns moment) {
  // A chunk may have a single sample, and one that was written after the clock was set back none.
  constexpr int kMostOpened = 3;
  const ChunkSpan chunks = track.chunks;
  std::size_t end = chunks.size();
  while (end > 0 && begin_of(*chunks[end - 1]) > moment) --end;
  std::size_t begin = end;
  for (int opened = 0; begin > 0 && opened < kMostOpened; ++opened) {
    --begin;
    while (begin > 0 && chunks[begin]->continues) --begin;
    auto reels = open_all(chunks.subspan(begin, end - begin));
    if (!reels) return std::unexpected(reels.error());
    const std::vector<Instant> last = want_last_two(**reels, moment);
    if (last.size() < 2 && begin > 0) continue;
    return tells_of(last, moment) ? *std::move(reels) : nullptr;
  }
  return nullptr;
}

}  // namespace winperf::recorder
