// Whether an instance was reset between two samples, so that none of its 4-byte counters that fell
// has wrapped: a provider that restarts begins all its counters anew.
//
// Its siblings are the witnesses, as far as their types say that they can't fall: an 8-byte counter
// that fell, or at least two 4-byte ones, one of which would have had to advance by more than half
// its range. Without witnesses each counter decides alone (growth() in formula/cook.h).
// Thread rule: pure functions.
#pragma once

#include <cstdint>

#include "collectors/model/counter_type.h"

namespace winperf {

// Gauges, fractions and queue lengths go up and down.
bool can_fall(const CounterTypeInfo& type);

class ResetWitness {
 public:
  // A counter of the instance: its raw value in the sample before and now, and its width.
  void hear(const CounterTypeInfo& type, std::uint64_t before, std::uint64_t now,
            std::uint32_t bytes);
  bool was_reset() const { return wide_fell_ || (narrow_fell_ > 1 && one_fell_far_); }

 private:
  bool wide_fell_ = false;
  bool one_fell_far_ = false;
  std::uint32_t narrow_fell_ = 0;
};

}  // namespace winperf
