// What can be seen of the process that makes a source's queries. collectors/worker has the process.
// Thread rule: that of the source.
#pragma once

#include <vector>

#include "collectors/model/worker_state.h"

namespace winperf {

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

}  // namespace winperf
