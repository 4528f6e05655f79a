// Reads one planned counterset by PerfLib: finds out which V2 counterset it is, asks for as little
// as the selection allows, and follows it.
// Thread rule: one thread.
#pragma once

#include <cstdint>
#include <expected>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "collectors/model/sample.h"
#include "collectors/sampling/perflib/perflib_connection.h"
#include "collectors/sampling/perflib/v2_tracker.h"
#include "collectors/sampling/plan.h"

namespace winperf {

// What of a counterset has to be asked for, so that the selection finds everything it wants. One
// counter alone only where no other one is needed to compute it; all instances where the consumer
// adds them up.
v2::CounterRequest make_request(const V2Counterset& counterset, const Selection& selection);

class PerflibReader {
 public:
  explicit PerflibReader(const PlannedCounterset& planned)
      : selection_(planned.selection), interval_(planned.interval) {}

  struct Reading {
    std::shared_ptr<const CountersetSample> sample;
    std::uint64_t bytes = 0;  // of the reply, which may serve other countersets too
  };
  // The counterset called `name`. kNotRegistered where no V2 provider has one.
  std::expected<Reading, Error> read(PerflibConnection& path, std::string_view name,
                                     std::vector<Error>& problems);
  // Takes its request back; the next read() starts anew.
  void stop(PerflibConnection& path);
  // Shares its calls with the countersets of that interval from now on.
  void move_to(PerflibConnection& path, PerflibConnection::Interval interval);

 private:
  struct Followed {
    Guid guid;
    std::shared_ptr<const V2Counterset> counterset;
    v2::CounterRequest request;
    PerflibSession::Ticket ticket;
    V2Tracker tracker;
    bool padding_reported = false;
  };

  std::expected<void, Error> follow(PerflibConnection& path, const Guid& guid,
                                    std::vector<Error>& problems);

  Selection selection_;
  PerflibConnection::Interval interval_;
  std::optional<Followed> followed_;
};

}  // namespace winperf
