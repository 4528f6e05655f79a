#include "collectors/recorder/interruptions.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "collectors/recorder/chunk.h"

namespace winperf::recorder {
namespace {

using Interruptions = std::vector<Interruption>;

constexpr std::size_t kMostOpen = 64;

// The chunks that have something after that time, with those that they continue.
std::size_t first_chunk(const Track& track, Ticks100ns since) {
  const auto& chunks = track.chunks;
  std::size_t begin = 0;
  while (begin + 1 < chunks.size() && chunks[begin]->last.wall < since) ++begin;
  while (begin > 0 && chunks[begin]->continues) --begin;
  return begin;
}

std::expected<void, Error> add_track(const Track& track, Ticks100ns since, Interruptions& found) {
  std::optional<Frame> last;
  std::optional<Instant> before;
  const std::size_t begin = first_chunk(track, since);
  if (begin > 0) before = track.chunks[begin - 1]->last;
  for (std::size_t i = begin; i < track.chunks.size(); ++i) {
    const Chunk& chunk = *track.chunks[i];
    auto reader = ChunkReader::open(chunk, chunk.continues && last ? &*last : nullptr);
    if (!reader) return std::unexpected(reader.error());
    for (const Frame& frame : reader->frames()) {
      if (frame.broken != NoValue::kNone && before && frame.at.wall > since)
        found.push_back({.reason = frame.broken,
                         .before = *before,
                         .after = frame.at,
                         .countersets = {track.name}});
      before = frame.at;
    }
    if (!reader->frames().empty()) last = reader->frames().back();
  }
  return {};
}

// By the steady clock, which nothing sets back.
bool is_at_the_same_time(const Interruption& a, const Interruption& b) {
  return a.reason == b.reason && a.before.steady < b.after.steady &&
         b.before.steady < a.after.steady;
}

// What all of them have in common, so that a counterset that is sampled rarely doesn't make it
// longer.
void unite(Interruption& all, const Interruption& one) {
  all.before = std::max(all.before, one.before,
                        [](const Instant& a, const Instant& b) { return a.steady < b.steady; });
  all.after = std::min(all.after, one.after,
                       [](const Instant& a, const Instant& b) { return a.steady < b.steady; });
  all.countersets.insert(all.countersets.end(), one.countersets.begin(), one.countersets.end());
}

Interruptions united(Interruptions found) {
  std::ranges::stable_sort(found, {}, [](const Interruption& one) { return one.before.steady; });
  Interruptions all;
  for (Interruption& one : found) {
    // Those that aren't over by then are among the last ones.
    const std::size_t first = all.size() - std::min(all.size(), kMostOpen);
    const auto same =
        std::find_if(all.begin() + static_cast<std::ptrdiff_t>(first), all.end(),
                     [&](const Interruption& other) { return is_at_the_same_time(other, one); });
    if (same != all.end())
      unite(*same, one);
    else
      all.push_back(std::move(one));
  }
  return all;
}

}  // namespace

std::expected<Interruptions, Error> interruptions(const History& history, Ticks100ns since,
                                                  std::size_t most) {
  Interruptions found;
  for (const auto& track : history.tracks)
    if (auto added = add_track(*track, since, found); !added) return std::unexpected(added.error());
  Interruptions all = united(std::move(found));
  if (all.size() > most) all.erase(all.begin(), all.end() - static_cast<std::ptrdiff_t>(most));
  return all;
}

}  // namespace winperf::recorder
