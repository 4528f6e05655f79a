// One PerfLib query handle with requests of several countersets. PerflibConnection has a session
// for each interval, and some for several of them.
//
// One call per round answers all requests; the first call of answer() in a round makes it. After
// every change the session asks the system which result belongs to which request, because results
// don't come in the order in which requests were added. If the system refuses a request (no such
// instance right now, or the provider isn't registered), the session tries it again in each round,
// and the other requests are not affected. If the handle fails, the session closes it and opens a
// new one in the next round.
// Thread rule: one thread. Source: Learn, PerfAddCounters, PerfQueryCounterInfo.
#pragma once

#include <cstdint>
#include <expected>
#include <map>
#include <optional>
#include <vector>

#include "collectors/model/clock.h"
#include "collectors/model/error.h"
#include "collectors/sources/perflib_client.h"
#include "collectors/wire/v2/data_view.h"
#include "collectors/wire/v2/identifier.h"

namespace winperf {

class PerflibSession {
 public:
  enum class Ticket : std::uint32_t {};

  explicit PerflibSession(PerflibClient& client) : client_(client) {}

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
    bool added = false;
    std::optional<Error> refused;           // why it couldn't be added
    std::optional<std::uint32_t> position;  // of its result
  };
  struct Round {
    std::optional<Error> error;  // of the call as a whole
    Bytes bytes;
    Clocks clocks;
    std::vector<std::expected<v2::ResultView, Error>> results;
    bool padding_left_out = false;
  };

  Round ask();
  [[nodiscard]] std::expected<void, Error> add_missing();
  [[nodiscard]] std::expected<void, Error> learn_positions();
  void forget_handle();

  PerflibClient& client_;
  std::optional<PerflibQuery> query_;
  std::map<Ticket, Entry> entries_;
  std::uint32_t next_ticket_ = 0;
  bool positions_known_ = false;
  std::optional<Round> round_;
};

}  // namespace winperf
