#include "collectors/recorder/reels.h"

#include <algorithm>
#include <span>
#include <utility>

namespace winperf::recorder {
namespace {

// The chunks in which that time is, and the one before it. A chunk that continues another one needs
// all between.
ChunkSpan chunks_of(const Track& track, Ticks100ns since, Ticks100ns until) {
  const auto& chunks = track.chunks;
  std::size_t begin = 0;
  while (begin + 1 < chunks.size() && chunks[begin + 1]->first.wall <= since) ++begin;
  while (begin > 0 && chunks[begin]->continues) --begin;
  std::size_t end = begin;
  for (std::size_t i = begin; i < chunks.size(); ++i)
    if (std::min(chunks[i]->first.wall, chunks[i]->last.wall) <= until) end = i + 1;
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
  auto reels = std::make_shared<Reels>(Reels{.parts = {}, .since = since, .until = until});
  const auto add = [&](ChunkSpan chunks) -> std::expected<void, Error> {
    auto reel = Reel::open(chunks);
    if (!reel) return std::unexpected(reel.error());
    reels->parts.push_back(*std::move(reel));
    return {};
  };
  if (const auto added = for_shapes(chunks_of(track, since, until), add); !added)
    return std::unexpected(added.error());
  return reels;
}

}  // namespace winperf::recorder
