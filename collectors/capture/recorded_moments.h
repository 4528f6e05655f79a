// The recorded samples of countersets in the order of time, put together to moments, with few of
// them in memory at a time.
//
// What was sampled within a second of each other is a moment, unless one of them comes again, or V2
// countersets have different times, since one reply has those of a capture's sample.
// Lifetime: not longer than the history. Thread rule: one thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <expected>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "collectors/recorder/history.h"
#include "collectors/recorder/reel.h"

namespace winperf::capture {

// When a sample was taken.
struct RecordedTime {
  Instant at;
  Clocks clocks;
  std::size_t track = 0;
  const recorder::Shape* shape = nullptr;
};

// Samples of one track between two times, and the last one before them.
class TrackReader {
 public:
  TrackReader(const recorder::Track& track, Ticks100ns since, Ticks100ns until);

  // Calls `use` with each frame and its shape.
  using Use = std::function<void(const recorder::Frame&, const recorder::Shape&)>;
  [[nodiscard]] std::expected<void, Error> for_frames(const Use& use) const;

  // The next one; null after the last.
  [[nodiscard]] std::expected<std::shared_ptr<const CountersetSample>, Error> next();

 private:
  // The frames of a reel that are meant.
  std::vector<bool> wanted_in(const recorder::Reel& reel, recorder::ChunkSpan rest) const;
  // The first chunks that continue each other, and those after them.
  static recorder::ChunkSpan take_chunks(recorder::ChunkSpan& rest);
  [[nodiscard]] std::expected<bool, Error> open_next();
  [[nodiscard]] std::expected<bool, Error> read_next();

  Ticks100ns since_;
  Ticks100ns until_;
  recorder::ChunkSpan all_;
  recorder::ChunkSpan rest_;
  std::optional<recorder::Reel> reel_;
  std::vector<bool> wanted_;
  std::size_t frame_ = 0;  // of the reel, the first one that isn't read
  std::vector<std::shared_ptr<const CountersetSample>> samples_;  // that were read, the last first
};

// Whether they may be of one reply: the clocks but those of objects.
bool is_same_reply(const Clocks& a, const Clocks& b);

// Puts times together to moments. `is_v2`: by track.
[[nodiscard]] std::vector<std::vector<RecordedTime>> moments_of(std::vector<RecordedTime> times,
                                                                const std::vector<bool>& is_v2);

}  // namespace winperf::capture
