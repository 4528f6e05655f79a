// Keeps the number of a counterset's instances within a limit: of each sample it keeps those with
// the highest values of a counter, or the first ones. It is the last step of SampleChain, after
// values were cooked, so that an instance that leads again continues its own totals.
//
// Instances that add up others (_Total) always stay, and don't count. An instance without a value
// of the counter comes after all that have one; of equal ones, the one that the provider lists
// first leads. While the same instances lead, samples share their instance set.
// Thread rule: one thread.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "collectors/model/sample.h"
#include "collectors/sampling/plan.h"

namespace winperf {

class LeadingInstances {
 public:
  // The sample itself if it is within the limit. If it has no counter called `limit->by`, its first
  // instances stay.
  [[nodiscard]] std::shared_ptr<const CountersetSample> keep(
      std::shared_ptr<const CountersetSample> sample, const std::optional<InstanceLimit>& limit);

 private:
  // Of the last sample that had too many: all its instances, the rows that led, and these alone.
  std::shared_ptr<const InstanceSet> all_;
  std::vector<std::uint32_t> rows_;
  std::shared_ptr<const InstanceSet> leading_;
};

}  // namespace winperf
