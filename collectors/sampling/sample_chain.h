// Completes the raw samples of one counterset, one after the other: matches instances and counters
// with those of the sample before, extends 32-bit counters to 64 bits, and cooks every counter. It
// is the last step of each tracker (V1Tracker, V2Tracker, LoggedTracker).
// Thread rule: one thread.
#pragma once

#include <memory>

#include "collectors/formula/cook.h"
#include "collectors/model/sample.h"

namespace winperf {

// A sample with a cell for each instance and counter, all of them 0 and without a reason.
[[nodiscard]] std::shared_ptr<CountersetSample> make_raw_sample(
    std::shared_ptr<const CountersetSchema> schema, std::shared_ptr<const InstanceSet> instances,
    const Clocks& clocks);

class SampleChain {
 public:
  // Completes `raw` and remembers it for the next one. The tracker has set raw, base, own_clocks,
  // and reason for each cell without a raw value or base.
  [[nodiscard]] std::shared_ptr<const CountersetSample> append(
      std::shared_ptr<CountersetSample> raw, const CookOptions& options);

 private:
  std::shared_ptr<const CountersetSample> previous_;
};

}  // namespace winperf
