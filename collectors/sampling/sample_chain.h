// Completes the raw samples of one counterset, one after the other: matches instances and counters
// with those of the sample before, extends 32-bit counters to 64 bits, and cooks every counter.
// Each tracker has one (V1Tracker, V2Tracker, LoggedTracker).
// Thread rule: one thread.
#pragma once

#include <memory>
#include <vector>

#include "collectors/formula/cook.h"
#include "collectors/model/sample.h"
#include "collectors/sampling/leading_instances.h"
#include "collectors/sampling/plan.h"
#include "collectors/sampling/sample_before.h"
#include "collectors/sampling/sample_pool.h"
#include "collectors/sampling/selected_instances.h"

namespace winperf {

class SampleChain {
 public:
  // A sample to fill (prepare() in model/sample.h).
  [[nodiscard]] std::shared_ptr<CountersetSample> begin(
      std::shared_ptr<const CountersetSchema> schema, std::shared_ptr<const SampleLayout> layout,
      std::shared_ptr<const InstanceSet> instances, const Clocks& clocks);

  // Completes `raw`, remembers it for the next one, and returns it within the limit. The tracker
  // has set raw values and bases, 0 where there are none; own_clocks; and the reason of each cell
  // without a raw value or base.
  // `instances`: whose set() the sample has; null: they are matched anew.
  [[nodiscard]] std::shared_ptr<const CountersetSample> append(
      std::shared_ptr<CountersetSample> raw, const Selection& selection,
      const SelectedInstances* instances = nullptr);

 private:
  SamplePool pool_;
  SampleBefore before_;
  std::vector<ColumnToCook> columns_;  // of the sample that is being completed; kept for its memory
  ColumnCooker cooker_;
  LeadingInstances leading_;
};

}  // namespace winperf
