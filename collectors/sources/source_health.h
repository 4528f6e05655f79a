// What can be seen of the processes and providers that answer a source's queries. Recordings, and
// sources that make their queries in this process, have none of it. collectors/worker and
// collectors/hosting have both. Thread rule: that of the source.
#pragma once

#include <string>
#include <vector>

#include "collectors/model/error.h"
#include "collectors/model/ids.h"
#include "collectors/model/worker_state.h"

namespace winperf {

// A process that makes queries.
class WorkerView {
 public:
  WorkerView() = default;
  WorkerView(const WorkerView&) = delete;
  WorkerView& operator=(const WorkerView&) = delete;
  virtual ~WorkerView() = default;

  virtual const WorkerState& state() const = 0;
  // What has happened since the last call: one event when a call begins to be lost, or is lost for
  // another reason, and one when it works again.
  [[nodiscard]] virtual std::vector<WorkerEvent> take_events() = 0;
  // Of processes that ended badly since the last call, if anything is known of them.
  [[nodiscard]] virtual std::vector<WorkerTrace> take_traces() { return {}; }
};

class SourceHealth {
 public:
  SourceHealth() = default;
  SourceHealth(const SourceHealth&) = delete;
  SourceHealth& operator=(const SourceHealth&) = delete;
  virtual ~SourceHealth() = default;

  virtual std::vector<WorkerView*> workers() = 0;
  // The V1 providers that have a process of their own.
  virtual std::vector<ProviderState> provider_states() { return {}; }
  // What has changed in how they share processes since the last call.
  [[nodiscard]] virtual std::vector<SharingNews> take_sharing_news() { return {}; }
  // What providers have left in the process that ran them, since the last call, that harms whatever
  // runs there next: for people; empty if there is nothing.
  [[nodiscard]] virtual std::string take_left_over() { return {}; }
  // Who delivers an object, for people: static text, or null if that isn't known.
  virtual const char* supplier_of(ObjectIndex) { return nullptr; }
  // What was lost a moment ago may be asked again at once.
  virtual void forget_losses() {}
};

// The same error with the supplier in its `where`: `provider "x" in object.counter`. `supplier`:
// static text for people, or null if it isn't known.
[[nodiscard]] Error with_supplier(Error error, const char* supplier);

}  // namespace winperf
