// The state of each topic and of its last reading. Thread rule: values; FactSlot is used by any
// thread.
#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <vector>

#include "collectors/base/changes.h"
#include "collectors/facts/fact_table.h"
#include "collectors/model/clock.h"
#include "collectors/model/error.h"
#include "collectors/model/fact_topic.h"
#include "collectors/model/worker_state.h"

namespace winperf {

struct FactState {
  FactTopic topic{};
  std::chrono::milliseconds stale_after{};
  std::shared_ptr<const FactTable> table{};  // null before the first reading
  SteadyTime read_at{};                      // of the table
  bool success = false;                      // of the last reading
  std::optional<Error> error{};              // why it failed
  double duration_seconds = 0;               // of the last reading
  std::size_t attempts = 0;
};

struct FactSnapshot {
  std::vector<FactState> topics{};
  std::vector<WorkerState> workers{};
};

using FactSlot = Latest<FactSnapshot>;

// Whether a table exists that isn't stale.
inline bool is_fresh(const FactState& state, SteadyTime now) {
  return state.table != nullptr && now - state.read_at <= state.stale_after;
}

}  // namespace winperf
