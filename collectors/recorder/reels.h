// The recorded samples of a counterset in a time, and what is opened of its chunks for any number
// of counters. Thread rule: pure functions; one thread has what is opened.
#pragma once

#include <cstdint>
#include <expected>
#include <memory>
#include <vector>

#include "collectors/recorder/history.h"
#include "collectors/recorder/reel.h"

namespace winperf::recorder {

// The recorded samples of a counterset in that time, and the last one before it, by the wall clock.
// The samples are without `cooked`.
struct RecordedSample {
  Instant at;
  std::uint64_t skipped = 0;  // samples before it that are no longer kept
  std::shared_ptr<const CountersetSample> sample;
};
[[nodiscard]] std::expected<std::vector<RecordedSample>, Error> recorded_samples(const Track& track,
                                                                                 Ticks100ns since,
                                                                                 Ticks100ns until);

// When these samples were taken, in the order of recording.
[[nodiscard]] std::expected<std::vector<Instant>, Error> recorded_times(const Track& track,
                                                                        Ticks100ns since,
                                                                        Ticks100ns until);

// The chunks of a track in which a time is, opened once for any number of counters: one reel for
// each of the schemas that follow one another. Lifetime: that of the track.
struct Reels {
  std::vector<Reel> parts;
  std::vector<std::vector<bool>> wanted;  // of each reel's frames, which are of the time
};
using SharedReels = std::shared_ptr<const Reels>;
// The samples of that time and the last one before it, by the wall clock.
[[nodiscard]] std::expected<SharedReels, Error> open_reels(const Track& track, Ticks100ns since,
                                                           Ticks100ns until);
// The last two samples until then, or the only one, from no more chunks than that needs. Null if
// there is none, or the last one is so old that nothing is known of the moment.
[[nodiscard]] std::expected<SharedReels, Error> open_moment(const Track& track, Ticks100ns moment);

}  // namespace winperf::recorder
