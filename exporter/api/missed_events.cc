// The events that a client has missed, from what the recorder remembers.
#include <algorithm>
#include <chrono>
#include <deque>
#include <map>
#include <utility>

#include "collectors/recorder/recorder.h"
#include "collectors/recorder/windows.h"
#include "exporter/api/event_part.h"
#include "exporter/api/events.h"
#include "exporter/api/recorded_path.h"

namespace winperf::api {
namespace {

using recorder::InstanceWindows;
using recorder::Window;
using TicksOfWall = std::chrono::duration<std::int64_t, std::ratio<1, kTicks100nsPerSecond>>;

// More are never sent at once; the value of an instance takes the place of several, because its
// name comes with it.
constexpr std::size_t kMostMissedValues = 50'000;
constexpr std::size_t kPlacesOfInstance = 3;

EventValue event_value(const Window& window) {
  if (window.value) return {.cooked = *window.value};
  return {.reason = name_of(window.value.error())};
}

// An instance that has ended isn't in the sample in which it is missing.
bool is_over(const Window& window) {
  return !window.value && window.value.error() == NoValue::kNotDelivered;
}

class Missed {
 public:
  Missed(SteadyTime after, const Instant& now) : after_(after), until_(now.wall) {
    const auto ago = std::chrono::duration_cast<TicksOfWall>(now.steady - after);
    since_ = {std::max<std::int64_t>(0, now.wall.ticks - ago.count())};
  }

  // Nothing if all is there; otherwise why it isn't.
  std::string add(const RecordedPath& path, std::string_view written) {
    for (const CounterSchema* const counter : path.counters) {
      if (count_ > kMostMissedValues) return "too many values were missed";
      auto found = recorder::windows(*path.track, {.counter = counter->name,
                                                   .instances = path.instances,
                                                   .since = since_,
                                                   .until = until_,
                                                   .each_sample = true,
                                                   .most = kMostMissedValues - count_});
      if (!found) return describe(found.error());
      windows_.push_back(*std::move(found));
      add_counter({.path = written, .counterset = path.track->name}, *counter,
                  path.track->chunks.back()->shape->schema->multi_instance);
    }
    return count_ > kMostMissedValues ? "too many values were missed" : "";
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

  const SteadyTime after_;
  Ticks100ns since_{};
  const Ticks100ns until_;
  std::size_t count_ = 0;
  std::deque<std::vector<InstanceWindows>> windows_;  // to which the parts refer
  // By the time of their sample, and in the order of counters.
  std::map<std::pair<SteadyTime, std::size_t>, EventPart> parts_;
};

}  // namespace

MissedEvents missed_events(const recorder::History& history,
                           const std::vector<Selection>& selections, SteadyTime after,
                           const Instant& now) {
  MissedEvents result;
  const SteadyTime first = std::clamp(after, now.steady - recorder::kAllFor, now.steady);
  if (first > after) result.lost = "older samples are no longer remembered one by one";
  Missed missed(first, now);
  for (const Selection& selection : selections) {
    const auto path = recorded_path(history, "path", selection.path);
    const std::string lost =
        path ? missed.add(*path, selection.path) : "nothing is recorded of " + selection.path;
    if (!lost.empty()) result.lost = lost;
  }
  result.events = missed.events();
  return result;
}

}  // namespace winperf::api
