// The instances of one counterset's samples: those that the selection accepts, shared between
// samples for as long as they stay the same. V1Tracker, V2Tracker and LoggedTracker each have one;
// they find out quickly whether anything has changed. Thread rule: one thread.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "collectors/model/sample.h"
#include "collectors/sampling/plan.h"

namespace winperf {

// The raw values of the identity counters and of the start time, as far as the object has them.
struct RawIdentity {
  std::optional<std::uint64_t> process_id{};
  std::optional<std::uint64_t> thread_id{};
  std::optional<std::uint64_t> owner{};  // the id of a process, of other objects
  std::optional<std::uint64_t> started{};
};
// An id of 0 is none.
void set_identity(InstanceSchema& instance, const RawIdentity& identity);
// Without a process id ("Idle", "_Total") the start time may change with every sample, so it
// identifies nothing.
bool start_time_identifies(const std::optional<std::uint64_t>& process_id);

// Whether samples have the instance, whose duplicates have been numbered. In a log of counters
// perfmon's "#1" is part of the name; the name that was delivered is the one without it.
bool accepts(const Selection& selection, const CountersetSchema& schema,
             const InstanceSchema& instance);

class SelectedInstances {
 public:
  // `all`: every instance that was delivered, in that order. Duplicates are numbered before any is
  // left out, so that "#n" doesn't depend on the selection.
  void select(std::vector<InstanceSchema> all, const CountersetSchema& schema,
              const Selection& selection);
  void clear();

  const std::shared_ptr<const InstanceSet>& set() const { return set_; }
  // Of each instance in set(), its position in `all`.
  const std::vector<std::uint32_t>& positions() const { return positions_; }

 private:
  std::shared_ptr<const InstanceSet> set_ = std::make_shared<InstanceSet>();
  std::vector<std::uint32_t> positions_;
};

}  // namespace winperf
