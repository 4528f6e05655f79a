// Who makes calls in another process: a worker, or somebody who shares one with others.
// Thread rule: one thread.
#pragma once

#include <cstdint>
#include <expected>
#include <string_view>

#include "collectors/base/stop.h"
#include "collectors/model/error.h"
#include "collectors/worker/frame.h"

namespace winperf::worker {

class Caller {
 public:
  Caller() = default;
  Caller(const Caller&) = delete;
  Caller& operator=(const Caller&) = delete;
  virtual ~Caller() = default;

  // `call`: what the deadline goes by; without a name it is the longest, nothing is learnt from the
  // call, and it doesn't rest when it was lost: that is up to its maker. The parts of the reply are
  // valid until the next call, and only as bytes to be copied (frame.h).
  [[nodiscard]] virtual std::expected<Reply, Error> call(Request request, std::string_view call,
                                                         const StopToken& stop) = 0;
  // What was learnt from earlier calls may be tried again.
  virtual void begin_round() {}
  virtual bool is_running() const = 0;
  // Grows with each process; handles of an earlier one mean nothing to the next.
  virtual std::uint64_t generation() const = 0;
};

}  // namespace winperf::worker
