// One set of PerfLib's requests of several countersets. PerflibConnection has a session for each
// interval, and some for several of them.
//
// One call per round answers all requests; the first call of answer() in a round makes it. If the
// system refuses a request (no such instance right now, or the provider isn't registered), the
// session tries it again in each round, and the other requests are not affected. If the set can't
// be collected, the session opens it anew in the next round, or at once if the process that had it
// was replaced, since then nothing but the set was lost. If opening it is lost with its process, it
// is opened request by request, so that one whose provider hangs is left out of it and costs the
// others one loss. From then on it is tried in a set of its own, after the others were collected.
// Thread rule: one thread. Source: Learn, PerfAddCounters, PerfQueryCounterInfo.
#pragma once

#include <cstdint>
#include <expected>
#include <map>
#include <optional>
#include <vector>

#include "collectors/model/clock.h"
#include "collectors/model/error.h"
#include "collectors/sources/perflib_source.h"
#include "collectors/wire/v2/data_view.h"
#include "collectors/wire/v2/identifier.h"

namespace winperf {

class PerflibSession {
 public:
  enum class Ticket : std::uint32_t {};

  // `source` outlives the session.
  explicit PerflibSession(PerflibSource& source) : source_(source), set_(source.new_set()) {}
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
  void try_what_is_left_out();
  void close();

  PerflibSource& source_;
  const PerflibSet set_;
  std::map<Ticket, Entry> entries_;
  std::uint32_t next_ticket_ = 0;
  bool is_open_ = false;
  bool opens_one_by_one_ = false;
  bool is_settled_ = false;  // the open set is what is subscribed to, and each one's place is known
  std::optional<Round> round_;
};

}  // namespace winperf
