// Cooks a counter: applies the formula of its type to one or two samples.
//
// Pure: no state, and no clocks except those in the arguments. Integers stay integers up to the
// last step. Nothing is capped at 100 % unless requested (perfmon's NOCAP100); inverse timers never
// fall below 0. A value is always finite. Errors: the NoValue with the reason; if several apply,
// the first of
//   1. the type: kNotNumeric, kUnknownType
//   2. the input: kNoBase, kFirstSample, kTypeChanged
//   3. the clock: kZeroFrequency, kClockBackwards, kZeroInterval
//   4. the counter: kMarkedUnknown, kCounterReset, kNotStarted
//   5. its base: kBaseReset, kZeroBase
// Thread rule: any thread.
// Source: docs/counter-types.md, Microsoft's "Calculating Counter Values".
#pragma once

#include <cstdint>
#include <expected>
#include <optional>

#include "collectors/model/clock.h"
#include "collectors/model/counter_type.h"
#include "collectors/model/raw_reading.h"

namespace winperf {

// One counter of one instance in one sample.
struct Observation {
  std::uint64_t value = 0;       // raw, zero-extended from value_bytes
  std::uint64_t base = 0;        // raw, zero-extended from base_bytes
  std::uint8_t value_bytes = 0;  // 4 or 8: where the raw value wraps
  std::uint8_t base_bytes = 0;   // 4 or 8; 0 if the counter has no base
};

// An observation and the time when it was made.
struct Measurement {
  Observation observation;
  Clocks clocks;
};

struct CookOptions {
  bool cap_percent = false;  // percentages are capped at 100, as in perfmon's charts
  // The instance is known to have been reset, so that a value that fell hasn't wrapped.
  bool was_reset = false;
  // What the counter's names add to its type; null: nothing.
  const RawReading* reading = nullptr;
};

// `previous`: empty for the first sample.
[[nodiscard]] std::expected<double, NoValue> cook(const CounterTypeInfo& type,
                                                  const std::optional<Measurement>& previous,
                                                  const Measurement& current,
                                                  const CookOptions& options = {});

// Growth of a counter that wraps at its width. A 4-byte value that went backwards has wrapped if
// the growth modulo 2^32 is below 2^31, and was reset otherwise; an 8-byte value that went
// backwards was reset. `reset`: the reason to report then.
[[nodiscard]] std::expected<std::uint64_t, NoValue> growth(std::uint64_t from, std::uint64_t to,
                                                           std::uint8_t bytes, NoValue reset);

}  // namespace winperf
