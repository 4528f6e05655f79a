// Continues one object from sample to sample, whichever path the raw values came by: matches
// instances and counters with those of the sample before, extends 32-bit counters to 64 bits and
// cooks every counter.
// Thread rule: one thread.
#pragma once

#include <memory>

#include "collectors/formula/cook.h"
#include "collectors/model/sample.h"

namespace winperf {

// A sample with a cell for each instance and counter, all of them 0 and without a reason.
std::shared_ptr<CountersetSample> make_raw_sample(std::shared_ptr<const CountersetSchema> schema,
                                                  std::shared_ptr<const InstanceSet> instances,
                                                  const Clocks& clocks);

class SampleChain {
 public:
  // Completes `raw`, of which the reader has set raw, base, reason (where there is no raw value, or
  // no base) and own_clocks, and remembers it for the next one.
  std::shared_ptr<const CountersetSample> append(std::shared_ptr<CountersetSample> raw,
                                                 const CookOptions& options);

 private:
  std::shared_ptr<const CountersetSample> previous_;
};

}  // namespace winperf
