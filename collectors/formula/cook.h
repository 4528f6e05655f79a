// Cooks a counter: the formula of its type, across two samples.
//
// Pure: no state, no clock but those in the arguments. Integers stay integers up to the last step.
// Nothing is capped at 100 % unless asked for (perfmon's NOCAP100); inverse timers are not allowed
// below 0. A value is always finite.
// Errors: the NoValue that says why there is no number; where several apply, the first of
//   1. the type: kNotNumeric, kUnknownType
//   2. what there is to compute with: kNoBase, kFirstSample, kTypeChanged
//   3. the clock: kZeroFrequency, kClockBackwards, kZeroInterval
//   4. the counter: kCounterReset, kNotStarted
//   5. its base: kBaseReset, kZeroBase
// Source: docs/counter-types.md, Microsoft's "Calculating Counter Values".
#pragma once

#include <cstdint>
#include <expected>

#include "collectors/model/clock.h"
#include "collectors/model/counter_type.h"
#include "collectors/model/no_value.h"

namespace winperf {

// One counter of one instance in one sample.
struct Observation {
  std::uint64_t value = 0;       // raw, zero-extended from value_bytes
  std::uint64_t base = 0;        // raw, zero-extended from base_bytes
  std::uint8_t value_bytes = 0;  // 4 or 8: where the raw value wraps
  std::uint8_t base_bytes = 0;   // 4 or 8; 0 where the counter has no base
};

struct CookOptions {
  bool cap_percent = false;  // percentages end at 100, as perfmon draws them
};

// `previous` may be null (first sample). `previous_clocks` is only read where `previous` is not
// null.
std::expected<double, NoValue> cook(const CounterTypeInfo& type, const Observation* previous,
                                    const Clocks* previous_clocks, const Observation& current,
                                    const Clocks& current_clocks, const CookOptions& options = {});

// Growth of a counter that wraps at its width. A 4-byte value that went backwards has wrapped if
// the growth modulo 2^32 is below 2^31, and was reset otherwise; an 8-byte value that went
// backwards was reset. `reset` is the reason to report then.
std::expected<std::uint64_t, NoValue> growth(std::uint64_t from, std::uint64_t to,
                                             std::uint8_t bytes, NoValue reset);

}  // namespace winperf
