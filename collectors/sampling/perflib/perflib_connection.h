// What one sampler needs of one machine's PerfLib: the catalog of V2 countersets, and sessions.
// PerflibReader reads countersets through it.
//
// Countersets with the same interval share a session, so that one call serves them all and none is
// collected more often than configured. When countersets of several intervals are due together, one
// session for all of them makes one call; if that goes wrong, each interval has its own call again
// for a while. The list of countersets is read again every five minutes,
// since the system doesn't report changes, and at most once a minute when something wasn't found.
// Names that the system failed to give are requested again after 5, 10, 20, ... seconds.
// Thread rule: one thread.
#pragma once

#include <chrono>
#include <cstdint>
#include <expected>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "collectors/base/back_off.h"
#include "collectors/catalog/v2_catalog.h"
#include "collectors/sources/perflib_source.h"
#include "collectors/sources/source.h"

namespace winperf {

class PerflibConnection {
 public:
  using Time = std::chrono::steady_clock::time_point;
  using Interval = std::chrono::milliseconds;

  // `names`: the language, besides English, in which countersets are looked up. `source` outlives
  // the connection.
  PerflibConnection(PerflibSource& source, Language names, Time now);
  PerflibConnection(const PerflibConnection&) = delete;
  PerflibConnection& operator=(const PerflibConnection&) = delete;

  // To be called before each round of sampling, with the intervals of what is due.
  void begin_round(Time now, std::span<const Interval> due = {});
  // A counterset wasn't found, or its data didn't fit its registration.
  void report_unknown() { unknown_reported_ = true; }

  V2Catalog& catalog() { return catalog_; }
  // Problems with the names of countersets since the last call.
  std::vector<Error> take_problems() { return catalog_.take_problems(); }
  // Why the list of countersets couldn't be read the last time.
  const std::optional<Error>& catalog_error() const { return catalog_error_; }

  PerflibSession& session(Interval interval);
  using Ticket = PerflibSession::Ticket;
  [[nodiscard]] Ticket subscribe(Interval interval, const v2::CounterRequest& request);
  void unsubscribe(Interval interval, Ticket ticket);
  // The first call in a round asks the system.
  [[nodiscard]] std::expected<PerflibSession::Answer, Error> answer(Interval interval,
                                                                    Ticket ticket);
  // Closes the sessions' sets.
  void release();

 private:
  // One call for several intervals.
  struct Together {
    explicit Together(PerflibSource& source) : session(source) {}

    PerflibSession session;
    std::map<std::pair<Interval, Ticket>, Ticket> tickets;  // of `session`
    std::uint64_t subscriptions = 0;                        // subscriptions_ when it was made
  };

  void refresh(Time now);
  // Nothing if this interval has its own call in this round.
  Together* together(Interval interval);
  void retry_names(Time now);

  PerflibSource& source_;
  V2Catalog catalog_;
  std::optional<Error> catalog_error_;
  std::map<Interval, PerflibSession> sessions_;
  std::uint64_t subscriptions_ = 0;  // changes of what is subscribed to
  std::vector<Interval> due_;        // in order; those with subscriptions
  std::map<std::vector<Interval>, Together> together_;
  Time now_;
  Time apart_until_;
  bool unknown_reported_ = false;
  Time refreshed_at_;
  Time names_asked_at_;
  BackOff names_delay_;  // from names_asked_at_ to the next attempt
};

}  // namespace winperf
