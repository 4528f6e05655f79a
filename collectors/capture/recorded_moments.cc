#include "collectors/capture/recorded_moments.h"

#include <algorithm>
#include <chrono>
#include <utility>

namespace winperf::capture {
namespace {

// As many samples of a counterset are in memory at a time.
constexpr std::size_t kSamplesAtOnce = 32;

}  // namespace

bool is_same_reply(const Clocks& a, const Clocks& b) {
  return a.perf_time == b.perf_time && a.perf_frequency == b.perf_frequency &&
         a.time_100ns == b.time_100ns;
}

TrackReader::TrackReader(const recorder::Track& track, Ticks100ns since, Ticks100ns until)
    : since_(since), until_(until) {
  // The chunks of that time, with the one before it.
  const auto& chunks = track.chunks;
  std::size_t begin = 0;
  while (begin + 1 < chunks.size() && chunks[begin + 1]->first.wall <= since) ++begin;
  while (begin > 0 && chunks[begin]->continues) --begin;
  all_ = std::span(chunks).subspan(begin);
  rest_ = all_;
}

recorder::ChunkSpan TrackReader::take_chunks(recorder::ChunkSpan& rest) {
  std::size_t count = 1;
  while (count < rest.size() && rest[count]->continues) ++count;
  const auto taken = rest.first(count);
  rest = rest.subspan(count);
  return taken;
}

std::vector<bool> TrackReader::wanted_in(const recorder::Reel& reel,
                                         recorder::ChunkSpan rest) const {
  const auto& frames = reel.frames();
  std::vector<bool> wanted(frames.size());
  for (std::size_t i = 0; i < frames.size(); ++i) {
    const bool has_next = i + 1 < frames.size() || !rest.empty();
    const bool next_is_after =
        !has_next ||
        (i + 1 < frames.size() ? frames[i + 1].at.wall : rest.front()->first.wall) > since_;
    const Ticks100ns at = frames[i].at.wall;
    wanted[i] = at <= until_ && (at >= since_ || next_is_after);
  }
  return wanted;
}

std::expected<void, Error> TrackReader::for_frames(const Use& use) const {
  for (auto rest = all_; !rest.empty();) {
    const auto reel = recorder::Reel::open(take_chunks(rest));
    if (!reel) return std::unexpected(reel.error());
    const std::vector<bool> wanted = wanted_in(*reel, rest);
    for (std::size_t i = 0; i < wanted.size(); ++i)
      if (wanted[i]) use(reel->frames()[i], reel->shape());
  }
  return {};
}

std::expected<bool, Error> TrackReader::open_next() {
  if (rest_.empty()) return false;
  reel_.reset();
  auto reel = recorder::Reel::open(take_chunks(rest_));
  if (!reel) return std::unexpected(reel.error());
  reel_ = *std::move(reel);
  wanted_ = wanted_in(*reel_, rest_);
  frame_ = 0;
  return true;
}

// Returns false at the end. There may be none in these frames.
std::expected<bool, Error> TrackReader::read_next() {
  if (!reel_ || frame_ == wanted_.size()) {
    if (const auto opened = open_next(); !opened || !*opened) return opened;
  }
  std::vector<bool> now(wanted_.size());
  for (std::size_t count = 0; frame_ < wanted_.size() && count < kSamplesAtOnce; ++frame_) {
    now[frame_] = wanted_[frame_];
    count += wanted_[frame_] ? 1 : 0;
  }
  auto samples = reel_->samples(now);
  if (!samples) return std::unexpected(samples.error());
  samples_ = *std::move(samples);
  std::erase(samples_, nullptr);
  std::ranges::reverse(samples_);
  return true;
}

std::expected<std::shared_ptr<const CountersetSample>, Error> TrackReader::next() {
  while (samples_.empty()) {
    const auto more = read_next();
    if (!more) return std::unexpected(more.error());
    if (!*more) return nullptr;
  }
  auto sample = std::move(samples_.back());
  samples_.pop_back();
  return sample;
}

std::vector<std::vector<RecordedTime>> moments_of(std::vector<RecordedTime> times,
                                                  const std::vector<bool>& is_v2) {
  constexpr std::chrono::seconds kMoment{1};
  std::ranges::stable_sort(times, {}, [](const RecordedTime& time) { return time.at.steady; });
  std::vector<std::vector<RecordedTime>> moments;
  for (const RecordedTime& time : times) {
    const auto belongs = [&](const RecordedTime& other) {
      return other.track != time.track && time.at.steady - other.at.steady < kMoment &&
             (!is_v2[time.track] || !is_v2[other.track] ||
              is_same_reply(time.clocks, other.clocks));
    };
    if (moments.empty() || !std::ranges::all_of(moments.back(), belongs)) moments.emplace_back();
    moments.back().push_back(time);
  }
  return moments;
}

}  // namespace winperf::capture
