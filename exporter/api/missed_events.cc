// The events that a client has missed, from what the recorder remembers.
#include <algorithm>
#include <chrono>
#include <deque>
#include <functional>
#include <map>
#include <utility>

#include "collectors/recorder/lives.h"
#include "collectors/recorder/recorder.h"
#include "collectors/recorder/windows.h"
#include "exporter/api/event_part.h"
#include "exporter/api/events.h"

namespace winperf::api {
namespace {

using recorder::InstanceWindows;
using recorder::Window;
using TicksOfWall = std::chrono::duration<std::int64_t, std::ratio<1, kTicks100nsPerSecond>>;

// More are never sent at once; the value of an instance takes the place of several, because its
// name comes with it.
constexpr std::size_t kMostMissedValues = 50'000;
constexpr std::size_t kPlacesOfInstance = 3;
// More counters are never read for one client.
constexpr std::size_t kMostMissedCounters = 200;
constexpr char kTooMany[] = "too many values were missed";

EventValue event_value(const Window& window) {
  if (window.value) return {.cooked = *window.value};
  return {.reason = name_of(window.value.error())};
}

// An instance that has ended isn't in the sample in which it is missing.
bool is_over(const Window& window) {
  return !window.value && window.value.error() == NoValue::kNotDelivered;
}

std::function<bool(const InstanceSchema&)> instances_of(const Selection& selection) {
  if (selection.instances.accepts_all()) return {};
  return [&filter = selection.instances](const InstanceSchema& instance) {
    return filter.check(display_name(instance)).accepted;
  };
}

// Samples are found by the wall clock, which was then another one.
bool was_clock_set(const recorder::Track& track, SteadyTime after, const Instant& now) {
  constexpr std::chrono::seconds kTolerance{2};
  const auto differs = [&](const Instant& then) {
    const auto steady = std::chrono::duration_cast<TicksOfWall>(now.steady - then.steady);
    const TicksOfWall wall(now.wall.ticks - then.wall.ticks);
    return std::chrono::abs(wall - steady) > kTolerance;
  };
  return std::ranges::any_of(track.chunks, [&](const auto& chunk) {
    return chunk->last.steady >= after && (differs(chunk->first) || differs(chunk->last));
  });
}

class Missed {
 public:
  Missed(SteadyTime after, const Instant& now) : after_(after), until_(now.wall) {
    const auto ago = std::chrono::duration_cast<TicksOfWall>(now.steady - after);
    since_ = {std::max<std::int64_t>(0, now.wall.ticks - ago.count())};
  }

  // Nothing if all is there; otherwise why it isn't.
  std::string add(const recorder::Track& track, const Selection& selection) {
    const auto reels = reels_of(track);
    if (!reels) return describe(reels.error());
    const CountersetSchema& schema = *track.chunks.back()->shape->schema;
    for (const CounterSchema& counter : schema.counters) {
      if (!selection.counters.check(counter.name).accepted) continue;
      if (count_ > kMostMissedValues || ++counters_ > kMostMissedCounters) return kTooMany;
      auto found = recorder::windows(*reels, {.counter = counter.name,
                                              .instances = instances_of(selection),
                                              .since = since_,
                                              .until = until_,
                                              .each_sample = true,
                                              .most = kMostMissedValues - count_});
      if (!found) return describe(found.error());
      windows_.push_back(*std::move(found));
      add_counter({.path = selection.path, .counterset = track.name}, counter,
                  schema.multi_instance);
    }
    return count_ > kMostMissedValues ? kTooMany : "";
  }

  std::vector<Event> events() const {
    std::vector<Event> events;
    for (auto part = parts_.begin(); part != parts_.end();) {
      std::vector<EventPart> of_sample;
      const SteadyTime at = part->first.first;
      for (; part != parts_.end() && part->first.first == at; ++part)
        of_sample.push_back(part->second);
      events.push_back({.at = at, .document = event_document(of_sample)});
    }
    return events;
  }

 private:
  // The windows that were read last.
  void add_counter(const EventPart& empty, const CounterSchema& counter, bool has_instances) {
    for (const InstanceWindows& one : windows_.back()) {
      for (const Window& window : one.windows) {
        if (window.to.steady <= after_ || is_over(window)) continue;
        count_ += has_instances ? kPlacesOfInstance : 1;
        EventPart& part =
            parts_.try_emplace({window.to.steady, windows_.size()}, empty).first->second;
        if (part.columns.empty()) part.columns.push_back({.name = counter.name, .values = {}});
        part.sampled_at = window.to.wall;
        if (has_instances) part.instances.push_back(&one.instance);
        part.columns.front().values.push_back(event_value(window));
      }
    }
  }

  std::expected<recorder::SharedReels, Error> reels_of(const recorder::Track& track) {
    const auto known = reels_.find(&track);
    if (known != reels_.end()) return known->second;
    auto opened = recorder::open_reels(track, since_, until_);
    if (opened) reels_.emplace(&track, *opened);
    return opened;
  }

  const SteadyTime after_;
  Ticks100ns since_{};
  const Ticks100ns until_;
  std::size_t count_ = 0;
  std::size_t counters_ = 0;
  std::map<const recorder::Track*, recorder::SharedReels> reels_;
  std::deque<std::vector<InstanceWindows>> windows_;  // to which the parts refer
  // By the time of their sample, and in the order of counters.
  std::map<std::pair<SteadyTime, std::size_t>, EventPart> parts_;
};

}  // namespace

MissedEvents missed_events(const recorder::History& history, const EventSelection& selection,
                           SteadyTime after, const Instant& now) {
  MissedEvents result;
  const SteadyTime first = std::clamp(after, now.steady - recorder::kAllFor, now.steady);
  if (first > after) result.lost = "older samples are no longer remembered one by one";
  Missed missed(first, now);
  for (const EventSelection::Watched& watched : selection.watched()) {
    const recorder::Track* const track = history.track(watched.counterset);
    std::string lost;
    if (track == nullptr)
      lost = "nothing is recorded of " + std::string(watched.counterset);
    else if (track->chunks.front()->first.steady > first)
      lost = "the recording of " + track->name + " begins later";
    else if (was_clock_set(*track, first, now))
      lost = "the machine's clock was set in between";
    else
      lost = missed.add(*track, *watched.selection);
    if (!lost.empty()) result.lost = lost;
  }
  result.events = missed.events();
  return result;
}

}  // namespace winperf::api
