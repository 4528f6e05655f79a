// Completes the raw samples of one counterset, one after the other: matches instances and counters
// with those of the sample before, extends 32-bit counters to 64 bits, and cooks every counter.
// Each tracker has one (V1Tracker, V2Tracker, LoggedTracker).
// Thread rule: one thread.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "collectors/formula/cook.h"
#include "collectors/model/counter_type.h"
#include "collectors/model/sample.h"
#include "collectors/sampling/plan.h"

namespace winperf {

// Keeps the number of a counterset's instances within a limit: of each sample it keeps those with
// the highest values of a counter, or the first ones. It is the last step of SampleChain, after
// values were cooked, so that an instance that leads again continues its own totals.
//
// Instances that add up others (_Total) always stay, and don't count. An instance without a value
// of the counter comes after all that have one; of equal ones, the one that the provider lists
// first leads. While the same instances lead, samples share their instance set.
// Thread rule: one thread.
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

// Turns raw counters into running totals of 64 bits, from which Prometheus can compute rates.
//
// A 4-byte counter wraps within hours on a busy machine; its total continues across the wrap. After
// a reset, and for a new instance, the total starts again from the counter's own value, so that
// Prometheus sees a reset and no spike. A delta counter (PERF_COUNTER_DELTA) is summed up from 0.

// Total of a counter without a previous sample.
std::uint64_t first_total(const CounterTypeInfo& type, std::uint64_t raw);

// Total of a counter whose previous sample had `previous_raw` and `previous_total`.
// `bytes` is the width at which the raw value wraps: 4 or 8.
std::uint64_t next_total(const CounterTypeInfo& type, std::uint64_t previous_total,
                         std::uint64_t previous_raw, std::uint64_t raw, std::uint8_t bytes);

// The same for the base of a counter, which is never summed up.
std::uint64_t next_base_total(const CounterTypeInfo& type, std::uint64_t previous_total,
                              std::uint64_t previous_raw, std::uint64_t raw, std::uint8_t bytes);

// Whether an instance was reset between two samples, so that none of its 4-byte counters that fell
// has wrapped: a provider that restarts begins all its counters anew.
//
// The evidence is its other counters, if their types can't fall: an 8-byte counter that fell, or at
// least two 4-byte ones, one of which would have had to advance by more than half its range.
// Without evidence each counter is judged separately (growth() in formula/cook.h). Thread rule:
// pure functions.

// Gauges, fractions and queue lengths go up and down.
bool can_fall(const CounterTypeInfo& type);

class ResetDetector {
 public:
  // A counter of the instance: its raw value in the sample before and now, and its width.
  void add(const CounterTypeInfo& type, std::uint64_t before, std::uint64_t now,
           std::uint32_t bytes);
  bool was_reset() const { return wide_fell_ || (narrow_fell_ > 1 && one_fell_far_); }

 private:
  bool wide_fell_ = false;
  bool one_fell_far_ = false;
  std::uint32_t narrow_fell_ = 0;
};

// A sample with a cell for each instance and counter, all of them 0 and without a reason.
[[nodiscard]] std::shared_ptr<CountersetSample> make_raw_sample(
    std::shared_ptr<const CountersetSchema> schema, std::shared_ptr<const InstanceSet> instances,
    const Clocks& clocks);

class SampleChain {
 public:
  // Completes `raw`, remembers it for the next one, and returns it within the limit. The tracker
  // has set raw, base, own_clocks, and reason for each cell without a raw value or base.
  [[nodiscard]] std::shared_ptr<const CountersetSample> append(
      std::shared_ptr<CountersetSample> raw, const Selection& selection);

 private:
  std::shared_ptr<const CountersetSample> previous_;
  std::vector<CounterTypeInfo> types_;  // of its columns: a look-up is too dear for each cell
  LeadingInstances leading_;
};

}  // namespace winperf
