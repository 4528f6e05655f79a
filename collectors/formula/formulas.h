// The formulas of the counter types, which ColumnCooker applies to the cells of a counter. Inline,
// because a call costs more than most of them. Thread rule: pure functions.
// Source: docs/counter-types.md, Microsoft's "Calculating Counter Values".
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <concepts>
#include <cstdint>
#include <span>

#include "collectors/base/hot_loop.h"
#include "collectors/formula/cook.h"
#include "collectors/model/clock.h"
#include "collectors/model/counter_type.h"
#include "collectors/model/raw_reading.h"

namespace winperf::formulas {

// A cooked value, or 0 and the reason why there is none. (std::expected is slower in a loop.)
struct Number {
  double value = 0;
  NoValue reason = NoValue::kNone;
};

struct Count {
  std::uint64_t value = 0;
  NoValue reason = NoValue::kNone;
};

// The time between two samples, by the clock of a counter type.
struct Interval {
  std::int64_t end = 0;             // T1
  Frequency frequency;              // F
  double ticks = 0;                 // T1-T0, never 0 unless it has a reason
  NoValue reason = NoValue::kNone;  // why there are no ticks
};

// An object without its own clock has 0 as both time and frequency.
Interval interval_of(TimeBase time_base, const Clocks& before, const Clocks& now);

// What is the same for all rows.
struct Column {
  bool is_numeric = false;  // its type has a number
  bool is_signed = false;
  std::uint32_t value_bytes = 0;  // 4 or 8: where the raw value wraps
  std::uint32_t base_bytes = 0;
  std::span<const std::uint64_t> unknown;  // raw values that mean "unknown"
  Interval interval;
};

// One instance, its raw values zero-extended.
struct Row {
  std::uint64_t value = 0;  // N1
  std::uint64_t base = 0;   // B1
  std::uint64_t value_before = 0;
  std::uint64_t base_before = 0;
  bool was_reset = false;
};

inline double to_double(std::uint64_t number) { return static_cast<double>(number); }
inline double to_double(Frequency frequency) {
  return static_cast<double>(frequency.ticks_per_second);
}

WINPERF_ALWAYS_INLINE inline Count grown(std::uint64_t from, std::uint64_t to, std::uint32_t bytes,
                                         bool was_reset, NoValue reset) {
  if (to >= from) [[likely]]
    return {.value = to - from};
  if (was_reset) return {.reason = reset};
  const auto count = growth(from, to, bytes, reset);
  return count ? Count{.value = *count} : Count{.reason = count.error()};
}

// N1-N0
WINPERF_ALWAYS_INLINE inline Number counted(const Column& in, const Row& row) {
  const Count count =
      grown(row.value_before, row.value, in.value_bytes, row.was_reset, NoValue::kCounterReset);
  return {to_double(count.value), count.reason};
}

// B1-B0, never 0.
WINPERF_ALWAYS_INLINE inline Count base_counted(const Column& in, const Row& row) {
  Count count = grown(row.base_before, row.base, in.base_bytes, row.was_reset, NoValue::kBaseReset);
  if (count.reason == NoValue::kNone && count.value == 0) count.reason = NoValue::kZeroBase;
  return count;
}

// `number`, unless it has a reason, divided.
WINPERF_ALWAYS_INLINE inline Number over(const Number& number, double divisor) {
  return {number.value / divisor, number.reason};
}

WINPERF_ALWAYS_INLINE inline Number times(double factor, const Number& number) {
  return {factor * number.value, number.reason};
}

// (N1-N0) / (T1-T0)
WINPERF_ALWAYS_INLINE inline Number counted_per_tick(const Column& in, const Number& count) {
  if (in.interval.reason != NoValue::kNone) return {.reason = in.interval.reason};
  return over(count, in.interval.ticks);
}

// (N1-N0) / (B1-B0)
WINPERF_ALWAYS_INLINE inline Number counted_per_base(const Column& in, const Row& row) {
  const Number count = counted(in, row);
  if (count.reason != NoValue::kNone) return count;
  const Count base = base_counted(in, row);
  if (base.reason != NoValue::kNone) return {.reason = base.reason};
  return over(count, to_double(base.value));
}

inline Number nothing(const Column& in, const Row&) {
  return {.reason = in.is_numeric ? NoValue::kUnknownType : NoValue::kNotNumeric};
}

WINPERF_ALWAYS_INLINE inline Number raw(const Column& in, const Row& row) {
  for (const std::uint64_t unknown : in.unknown)
    if (unknown == row.value) return {.reason = NoValue::kMarkedUnknown};
  if (!in.is_signed) return {.value = to_double(row.value)};
  if (in.value_bytes == sizeof row.value)
    return {.value = static_cast<double>(static_cast<std::int64_t>(row.value))};
  const auto narrow = static_cast<std::int32_t>(static_cast<std::uint32_t>(row.value));
  return {.value = static_cast<double>(narrow)};
}

WINPERF_ALWAYS_INLINE inline Number raw_double(const Column& in, const Row& row) {
  const double value = std::bit_cast<double>(row.value);
  if (in.value_bytes != sizeof value || !std::isfinite(value))
    return {.reason = NoValue::kNotNumeric};
  return {.value = value};
}

WINPERF_ALWAYS_INLINE inline Number raw_fraction(const Column&, const Row& row) {
  if (row.base == 0) return {.reason = NoValue::kZeroBase};
  return {.value = 100 * (to_double(row.value) / to_double(row.base))};
}

// What follows takes N1-N0.
WINPERF_ALWAYS_INLINE inline Number delta(const Column&, const Number& count) { return count; }

// (N1-N0) / ((T1-T0)/F)
WINPERF_ALWAYS_INLINE inline Number rate(const Column& in, const Number& count) {
  return times(to_double(in.interval.frequency), counted_per_tick(in, count));
}

WINPERF_ALWAYS_INLINE inline Number timer(const Column& in, const Number& count) {
  return times(100, counted_per_tick(in, count));
}

WINPERF_ALWAYS_INLINE inline Number timer_inverse(const Column& in, const Number& count) {
  const Number idle = counted_per_tick(in, count);
  if (idle.reason != NoValue::kNone) return idle;
  return {.value = std::max(0.0, 100 * (1 - idle.value))};
}

// 100 * (N1-N0) / (B1-B0)
WINPERF_ALWAYS_INLINE inline Number fraction(const Column& in, const Row& row) {
  return times(100, counted_per_base(in, row));
}

WINPERF_ALWAYS_INLINE inline Number multi_timer(const Column& in, const Row& row) {
  const Number busy = timer(in, counted(in, row));
  if (busy.reason != NoValue::kNone) return busy;
  if (row.base == 0) return {.reason = NoValue::kZeroBase};
  return over(busy, to_double(row.base));
}

WINPERF_ALWAYS_INLINE inline Number multi_timer_inverse(const Column& in, const Row& row) {
  const Number idle = counted_per_tick(in, counted(in, row));
  if (idle.reason != NoValue::kNone) return idle;
  if (row.base == 0) return {.reason = NoValue::kZeroBase};
  return {.value = std::max(0.0, 100 * (to_double(row.base) - idle.value))};
}

WINPERF_ALWAYS_INLINE inline Number average_timer(const Column& in, const Row& row) {
  if (!in.interval.frequency.valid()) return {.reason = NoValue::kZeroFrequency};
  return times(1 / to_double(in.interval.frequency), counted_per_base(in, row));
}

WINPERF_ALWAYS_INLINE inline Number elapsed_time(const Column& in, const Row& row) {
  if (!in.interval.frequency.valid()) return {.reason = NoValue::kZeroFrequency};
  const std::int64_t time = in.interval.end;
  if (time < 0 || row.value > static_cast<std::uint64_t>(time))
    return {.reason = NoValue::kClockBackwards};
  if (row.value == 0) return {.reason = NoValue::kNotStarted};
  return {.value = to_double(static_cast<std::uint64_t>(time) - row.value) /
                   to_double(in.interval.frequency)};
}

// A formula as a type.
template <Number (*kFormula)(const Column&, const Row&)>
struct constant {
  WINPERF_ALWAYS_INLINE Number operator()(const Column& in, const Row& row) const {
    return kFormula(in, row);
  }
};

// A formula that takes nothing of a row but N1-N0.
template <Number (*kFormula)(const Column&, const Number&)>
struct of_growth {
  WINPERF_ALWAYS_INLINE Number operator()(const Column& in, const Row& row) const {
    return kFormula(in, counted(in, row));
  }
  WINPERF_ALWAYS_INLINE Number operator()(const Column& in, const Number& growth) const {
    return kFormula(in, growth);
  }
};

template <class Formula>
concept TakesGrowthAlone = std::invocable<const Formula&, const Column&, const Number&>;
template <class Formula>
concept IsRaw = std::same_as<Formula, constant<raw>>;

// Calls `use` with the function of the formula, as a constant, so that a loop in `use` can inline
// it.
template <class Use>
auto with_formula(Formula formula, const Use& use) {
  switch (formula) {
    case Formula::kNone:
      break;
    case Formula::kRaw:
      return use(constant<raw>());
    case Formula::kDouble:
      return use(constant<raw_double>());
    case Formula::kDelta:
      return use(of_growth<delta>());
    case Formula::kRate:
      return use(of_growth<rate>());
    case Formula::kQueueLength:
      return use(of_growth<counted_per_tick>());
    case Formula::kRawFraction:
      return use(constant<raw_fraction>());
    case Formula::kTimer:
      return use(of_growth<timer>());
    case Formula::kTimerInverse:
      return use(of_growth<timer_inverse>());
    case Formula::kMultiTimer:
      return use(constant<multi_timer>());
    case Formula::kMultiTimerInverse:
      return use(constant<multi_timer_inverse>());
    case Formula::kAverageTimer:
      return use(constant<average_timer>());
    case Formula::kAverageBulk:
      return use(constant<counted_per_base>());
    case Formula::kElapsed:
      return use(constant<elapsed_time>());
    case Formula::kSampleFraction:
    case Formula::kPrecision:
      return use(constant<fraction>());
  }
  return use(constant<nothing>());
}

}  // namespace winperf::formulas
