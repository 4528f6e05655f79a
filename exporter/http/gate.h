// Decides whether a request is answered at all, before anything of its answer is made. Thread rule:
// the front's thread calls it.
#pragma once

#include <functional>
#include <optional>

#include "exporter/http/request_head.h"

namespace winperf {

class Gate {
 public:
  // Nothing: it is answered.
  using Decide = std::function<void(std::optional<Refusal>)>;

  Gate() = default;
  Gate(const Gate&) = delete;
  Gate& operator=(const Gate&) = delete;
  virtual ~Gate() = default;

  // Takes no time. Calls `decide` at once or later, on any thread, at most once; never after the
  // gate has ended. `address`: the client's.
  virtual void ask(const RequestHead& request, const NetAddress& address, Decide decide) = 0;
};

}  // namespace winperf
