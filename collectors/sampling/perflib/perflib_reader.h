// Reads one planned counterset via PerfLib: finds out which V2 counterset the name stands for,
// requests no more of it than the selection needs, and follows it. RegistryReader does the same for
// the registry.
// Thread rule: one thread.
#pragma once

#include <cstdint>
#include <expected>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "collectors/sampling/perflib/perflib_connection.h"
#include "collectors/sampling/perflib/v2_tracker.h"
#include "collectors/sampling/plan.h"
#include "collectors/sampling/reading.h"

namespace winperf {

// What has to be requested of a counterset, so that the selection finds everything it wants: one
// counter alone only if no other one is needed to compute it; all instances if the consumer adds
// them up.
[[nodiscard]] v2::CounterRequest make_request(const V2Counterset& counterset,
                                              const Selection& selection);

class PerflibReader {
 public:
  explicit PerflibReader(const PlannedCounterset& planned)
      : selection_(planned.selection), interval_(planned.interval) {}

  // The counterset called `name`; kNotRegistered if no V2 provider has one. Reading::bytes is the
  // size of the reply, which may serve other countersets too.
  [[nodiscard]] ReadResult read(PerflibConnection& perflib, std::string_view name);
  // Withdraws the request; the next read() starts anew.
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
