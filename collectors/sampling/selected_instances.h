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
  std::optional<std::uint64_t> started{};
};
void set_identity(InstanceSchema& instance, const RawIdentity& identity);
// Without a process id ("Idle", "_Total") the start time may change with every sample, so it
// identifies nothing.
bool start_time_identifies(const std::optional<std::uint64_t>& process_id);

// The name of an instance that filters are applied to: in a log of counters, without perfmon's
// "#1", which is part of the name there.
std::string_view name_to_select(const CountersetSchema& schema, const InstanceSchema& instance);
// Whether samples have the instance. `name`: its name_to_select().
bool accepts(const Selection& selection, std::string_view name,
             const std::optional<std::uint32_t>& unique_id);

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
