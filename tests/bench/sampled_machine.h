// Samples of a shape, second by second, on the V1 path; or of the simulated server. What follows
// sampling is measured on them. Thread rule: one thread.
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>

#include "collectors/model/sample.h"
#include "collectors/sampling/registry/object_sampler.h"
#include "tests/bench/moving_machine.h"

namespace winperf::testing {

// One object after the other, with whatever has been sampled of them.
std::shared_ptr<const Sample> sample_of(
    const std::vector<std::shared_ptr<const CountersetSample>>& objects, std::uint64_t sequence);
std::uint64_t values_in(const std::vector<std::shared_ptr<const CountersetSample>>& objects);

class SampleSeries {
 public:
  virtual ~SampleSeries() = default;
  virtual std::shared_ptr<const Sample> next() = 0;
};

// Two samples have been taken, so that the next one has rates. Null if there is no such shape, or
// if it has no churn.
std::unique_ptr<SampleSeries> series_of(std::string_view shape, unsigned churn);

}  // namespace winperf::testing
