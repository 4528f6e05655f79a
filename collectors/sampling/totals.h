// Turns raw counters into running totals of 64 bits, from which Prometheus can compute rates, and
// finds instances that were reset.
//
// A 4-byte counter wraps within hours on a busy machine; its total continues across the wrap. After
// a reset, and for a new instance, the total starts again from the counter's own value, so that
// Prometheus sees a reset and no spike. A delta counter (PERF_COUNTER_DELTA) is summed up from 0,
// its base never. Thread rule: pure functions.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "collectors/formula/cook.h"
#include "collectors/model/counter_type.h"

namespace winperf {

// Sets the totals of a counter from those of the sample before, which are empty if it has none, and
// leaves 0 where there is no raw value. Reasons are those of reading: nothing has been cooked yet.
void continue_totals(const ColumnToCook& column, std::span<const std::uint64_t> before,
                     std::span<std::uint64_t> totals);

// The same for the base of a counter.
void continue_base_totals(const ColumnToCook& column, std::span<const std::uint64_t> before,
                          std::span<std::uint64_t> totals);

// Gauges, fractions and queue lengths go up and down.
bool can_fall(const CounterTypeInfo& type);

// Whether an instance was reset between two samples, so that none of its 4-byte counters that fell
// has wrapped: a provider that restarts begins all its counters anew.
//
// The evidence is its other counters, if their types can't fall: an 8-byte counter that fell, or at
// least two 4-byte ones, one of which would have had to advance by more than half its range.
// Without evidence each counter is judged separately (growth() in formula/cook.h).
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

// Finds the instances of a sample that were reset, column by column.
class ResetRows {
 public:
  explicit ResetRows(std::size_t rows) : rows_(rows) {}
  void add(const ColumnToCook& column);
  // By row; empty if none was reset.
  std::vector<std::uint8_t> take() const;

 private:
  std::size_t rows_;
  std::vector<ResetDetector> detectors_;  // by row; empty until a value has fallen
};

}  // namespace winperf
