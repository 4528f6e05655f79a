// One query handle of PerfLib with the requests of many countersets.
//
// All requests are answered by one call a round, made when the first answer of the round is asked
// for. Which result is whose is asked of the system after every change, because results do not come
// in the order of adding. A request that the system did not take (no such instance right now, the
// provider not registered) is tried again each round; it costs itself alone. A handle that fails is
// closed and built up again in the next round.
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

  // Requests that are alike share the answer.
  Ticket subscribe(const v2::CounterRequest& request);
  void unsubscribe(Ticket ticket);
  bool empty() const { return entries_.empty(); }

  // What was answered so far belongs to the past.
  void begin_round() { round_.reset(); }

  struct Answer {
    v2::ResultView result;  // not longer than the round
    Clocks clocks;
    std::uint64_t bytes = 0;
    bool padding_left_out = false;  // by the result or by one before it (wire/v2/next_block.h)
  };
  std::expected<Answer, Error> answer(Ticket ticket);

 private:
  struct Entry {
    v2::CounterRequest request;
    std::uint32_t subscribers = 1;
    bool added = false;
    std::optional<Error> refused;           // why it could not be added
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
  std::expected<void, Error> add_missing();
  std::expected<void, Error> learn_positions();
  void forget_handle();

  PerflibClient& client_;
  std::optional<PerflibQuery> query_;
  std::map<Ticket, Entry> entries_;
  std::uint32_t next_ticket_ = 0;
  bool positions_known_ = false;
  std::optional<Round> round_;
};

}  // namespace winperf
