// Reads one planned counterset via PerfLib: finds the V2 counterset that the name means, requests
// only what the selection needs, and follows it. RegistryReader does the same for the registry.
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
#include <string_view>
#include <utility>
#include <vector>

#include "collectors/base/back_off.h"
#include "collectors/catalog/v2_catalog.h"
#include "collectors/model/clock.h"
#include "collectors/model/error.h"
#include "collectors/sampling/perflib/v2_tracker.h"
#include "collectors/sampling/plan.h"
#include "collectors/sources/perflib_source.h"
#include "collectors/sources/source.h"
#include "collectors/wire/v2/data_view.h"
#include "collectors/wire/v2/identifier.h"

namespace winperf {

// One set of PerfLib's requests of several countersets. PerflibConnection has a session for each
// interval, and some for several of them.
//
// One call per round answers all requests; the first call of answer() in a round makes it. If the
// system refuses a request (no such instance right now, or the provider isn't registered), the
// session retries it in each round, and the other requests are not affected. If the set can't be
// collected, the session reopens it in the next round, or immediately if the process that had it
// was replaced, since then only the set was lost. If opening it costs the process, it is opened
// request by request, so that one whose provider hangs is left out after one loss. From then on
// that request is tried in a separate set, when its answer is needed. Thread rule: one thread.
// Source: Learn, PerfAddCounters, PerfQueryCounterInfo.
class PerflibSession {
 public:
  enum class Ticket : std::uint32_t {};

  // `source` outlives the session.
  explicit PerflibSession(PerflibSource& source)
      : source_(source), set_(source.new_set()), alone_(source.new_set()) {}
  ~PerflibSession() { close(); }
  PerflibSession(const PerflibSession&) = delete;
  PerflibSession& operator=(const PerflibSession&) = delete;

  // Equal requests share the answer.
  [[nodiscard]] Ticket subscribe(const v2::CounterRequest& request);
  void unsubscribe(Ticket ticket);
  bool empty() const { return entries_.empty(); }
  // Calls `visit(ticket, request)` for each request.
  template <class Visit>
  void for_each_request(const Visit& visit) const {
    for (const auto& [ticket, entry] : entries_) visit(ticket, entry.request);
  }

  // Earlier answers no longer count.
  void begin_round() { round_.reset(); }

  struct Answer {
    v2::ResultView result;  // valid until the round ends
    Clocks clocks;
    std::uint64_t bytes = 0;
    bool padding_left_out = false;  // by the result or by one before it (wire/v2/data_view.h)
  };
  [[nodiscard]] std::expected<Answer, Error> answer(Ticket ticket);
  // Whether a request is left out of its set, because opening the set with it was lost.
  bool leaves_out() const;
  // Why the call of this round failed for all requests.
  std::optional<Error> round_error() const { return round_ ? round_->error : std::nullopt; }

 private:
  struct Entry {
    v2::CounterRequest request;
    std::uint32_t subscribers = 1;
    ResultPlace place{};
    bool is_left_out = false;  // opening the set was lost when it was added
  };
  struct Round {
    std::optional<Error> error;  // of the call as a whole
    Bytes bytes;
    Clocks clocks;
    std::vector<std::expected<v2::ResultView, Error>> results;
    bool padding_left_out = false;
  };

  Round ask();
  [[nodiscard]] std::expected<void, Error> open();
  [[nodiscard]] std::expected<void, Error> open_one_by_one(std::span<Entry* const> wanted);
  // Opens the set with these alone.
  [[nodiscard]] std::expected<void, Error> open(std::span<Entry* const> entries);
  void try_alone(Entry& entry);
  void close();

  PerflibSource& source_;
  const PerflibSet set_;
  const PerflibSet alone_;  // of a request that is left out
  std::map<Ticket, Entry> entries_;
  std::uint32_t next_ticket_ = 0;
  bool is_open_ = false;
  bool opens_one_by_one_ = false;
  bool is_settled_ = false;  // the open set is what is subscribed to, and each one's place is known
  std::optional<Round> round_;
};

// A sampler's connection to one machine's PerfLib: the catalog of V2 countersets, and sessions.
// PerflibReader reads countersets through it.
//
// Countersets with the same interval share a session, so that one call serves them all and none is
// collected more often than configured. When countersets of several intervals are due together, one
// session for all of them makes one call; if that fails, each interval has a separate call again
// for a while. The list of countersets is read again every five minutes, since the system doesn't
// report changes, and at most once a minute when something wasn't found. Names that the system
// failed to give are requested again after 5, 10, 20, ... seconds. Thread rule: one thread.
class PerflibConnection {
 public:
  using Time = std::chrono::steady_clock::time_point;
  using Interval = std::chrono::milliseconds;

  // `names`: the language, in addition to English, in which countersets are looked up. `source`
  // outlives the connection.
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
  // The first call in a round queries the system.
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
  // Nothing if this interval has a separate call in this round.
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

// The request for a counterset that covers the selection: a single counter only if no other one is
// needed to compute it; all instances if the consumer adds them up.
[[nodiscard]] v2::CounterRequest make_request(const V2Counterset& counterset,
                                              const Selection& selection);

class PerflibReader {
 public:
  explicit PerflibReader(const PlannedCounterset& planned)
      : selection_(planned.selection), interval_(planned.interval) {}

  // The counterset called `name`; kNotRegistered if no V2 provider has one. Reading::bytes is the
  // size of the reply, which may serve other countersets too.
  [[nodiscard]] ReadResult read(PerflibConnection& perflib, std::string_view name);
  // Withdraws the request; the next read() starts over.
  void stop(PerflibConnection& perflib);
  // From now on the counterset shares its calls with the others of that interval.
  void move_to(PerflibConnection& perflib, PerflibConnection::Interval interval);

 private:
  struct Followed {
    Guid guid;
    std::shared_ptr<const V2Counterset> counterset;
    v2::CounterRequest request;
    PerflibSession::Ticket ticket;
    V2Tracker tracker;
    bool padding_reported = false;
  };

  [[nodiscard]] static std::expected<Guid, Error> find(PerflibConnection& perflib,
                                                       std::string_view name);
  // The problems of the registration, if it wasn't followed before.
  [[nodiscard]] std::expected<std::vector<Error>, Error> follow(PerflibConnection& perflib,
                                                                const Guid& guid);
  [[nodiscard]] ReadResult read_followed(PerflibConnection& perflib);

  Selection selection_;
  PerflibConnection::Interval interval_;
  std::optional<Followed> followed_;
};

}  // namespace winperf
