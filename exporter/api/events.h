// What a stream of events (GET /api/v1/events) says: the values of the paths that a client asks
// for, in each sample as it comes and in those that it has missed. Thread rule: a selection is for
// one thread.
//
// A document has one part for each path and counterset that has something new:
//
//   {"values": [{"path": "\\Process(*)\\Working Set", "counterset": "Process", "sampled_at": "...",
//                "instances": [{"name": "svchost"}], "counters": [{"name": "Working Set",
//                "cooked": [123.0]}]}]}
//
// Instances and counters are written as sample_columns.h has them, without raw values. A counterset
// that cannot be read has "error" once, instead of values.
#pragma once

#include <cstddef>
#include <expected>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "collectors/model/clock.h"
#include "collectors/model/sample.h"
#include "collectors/recorder/history.h"
#include "exporter/api/api_query.h"
#include "exporter/api/selection.h"

namespace winperf::api {

inline constexpr char kEventType[] = "text/event-stream";
// More values are never in an event; a client that wants more reads /api/v1/sample.
inline constexpr std::size_t kMostEventValues = 5'000;

// One event: the time of its newest values, and its document.
struct Event {
  SteadyTime at{};
  std::string document{};  // empty: there is nothing new
};

class EventSelection {
 public:
  // Of a request's paths, which are checked against a sample.
  [[nodiscard]] static std::expected<EventSelection, Problem> open(
      const std::shared_ptr<const Sample>& sample, const Query& query);

  // What is newer than in the sample before.
  [[nodiscard]] Event event(const std::shared_ptr<const Sample>& sample);

  // What isn't newer than that is never shown.
  void skip(SteadyTime after);

  // What it shows, each selection with each of its countersets. Lifetime: until the next event.
  struct Watched {
    const Selection* selection = nullptr;
    std::string_view counterset;
  };
  std::vector<Watched> watched() const;

 private:
  // What a selection has of one counterset, as long as neither its schema nor its instances change.
  struct Part {
    std::size_t selection = 0;
    SelectedCells cells;
    std::shared_ptr<const CountersetSchema> schema{};
    std::shared_ptr<const InstanceSet> instances{};
    SteadyTime shown{};  // the sample that was shown last
    bool was_failing = false;
  };

  std::optional<Problem> select(const std::shared_ptr<const Sample>& sample);
  [[nodiscard]] Part part_of_place(Selector& selector, std::size_t selection, const Sample& sample,
                                   std::size_t place) const;
  [[nodiscard]] bool is_of(const Sample& sample) const;
  void note_ended(const std::vector<Part>& parts, const Sample& sample);

  SteadyTime after_ = SteadyTime::min();
  std::vector<Selection> selections_;
  std::vector<Part> parts_;
  // A selection with a counterset that is no longer sampled, which the next event says.
  struct Ended {
    std::size_t selection = 0;
    std::string counterset;
  };
  std::vector<Ended> ended_;
  std::vector<std::string> names_;  // of the countersets of the sample that the parts are of
};

// What was sampled after that, until now, as long as every sample is remembered: the oldest first.
struct MissedEvents {
  std::vector<Event> events{};
  // Why some are missing; empty if none are.
  std::string lost{};
};
[[nodiscard]] MissedEvents missed_events(const recorder::History& history,
                                         const EventSelection& selection, SteadyTime after,
                                         const Instant& now);

}  // namespace winperf::api
