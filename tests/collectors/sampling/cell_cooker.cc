#include "tests/collectors/sampling/cell_cooker.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace winperf::by_cell {
namespace {

using Number = std::expected<double, NoValue>;
using Count = std::expected<std::uint64_t, NoValue>;

constexpr std::uint32_t kHalfOf32Bits = 0x8000'0000;

// The clock of a counter type in a sample.
struct Clock {
  TimeStamp<struct ClockOfType> time;
  Frequency frequency;
};

Clock clock_of(TimeBase time_base, const Clocks& clocks) {
  switch (time_base) {
    case TimeBase::k100ns:
      return {{clocks.time_100ns.ticks}, k100nsFrequency};
    case TimeBase::kObject:
      return {{clocks.object_time.ticks}, clocks.object_frequency};
    case TimeBase::kNone:
    case TimeBase::kPerf:
      break;
  }
  return {{clocks.perf_time.ticks}, clocks.perf_frequency};
}

// Everything that a formula may need.
struct Inputs {
  const CounterTypeInfo& type;
  const Observation& before;
  const Observation& now;
  Clock clock_before;
  Clock clock_now;
  const RawReading& reading;
  bool was_reset = false;

  Frequency frequency() const { return clock_now.frequency; }
  std::int64_t time() const { return clock_now.time.ticks; }

  // T1-T0, never 0. An object without its own clock has 0 as both time and frequency.
  Count ticks() const {
    if (!frequency().valid()) return std::unexpected(NoValue::kZeroFrequency);
    const std::optional<std::uint64_t> ticks = elapsed(clock_before.time, clock_now.time);
    if (!ticks) return std::unexpected(NoValue::kClockBackwards);
    if (*ticks == 0) return std::unexpected(NoValue::kZeroInterval);
    return *ticks;
  }
  // N1-N0.
  Count counted() const {
    return grown(before.value, now.value, now.value_bytes, NoValue::kCounterReset);
  }
  // B1-B0, never 0.
  Count base_counted() const {
    const Count counted = grown(before.base, now.base, now.base_bytes, NoValue::kBaseReset);
    if (counted && *counted == 0) return std::unexpected(NoValue::kZeroBase);
    return counted;
  }

 private:
  Count grown(std::uint64_t from, std::uint64_t to, std::uint8_t bytes, NoValue reset) const {
    if (was_reset && to < from) return std::unexpected(reset);
    return growth(from, to, bytes, reset);
  }
};

double to_double(std::uint64_t number) { return static_cast<double>(number); }
double to_double(Frequency frequency) { return static_cast<double>(frequency.ticks_per_second); }

// N1-N0
Number counted(const Inputs& in) {
  const Count count = in.counted();
  return count ? Number(to_double(*count)) : std::unexpected(count.error());
}

// (N1-N0) / (T1-T0)
Number counted_per_tick(const Inputs& in) {
  const Count ticks = in.ticks();
  if (!ticks) return std::unexpected(ticks.error());
  const Number count = counted(in);
  return count ? *count / to_double(*ticks) : count;
}

// (N1-N0) / (B1-B0)
Number counted_per_base(const Inputs& in) {
  const Number count = counted(in);
  if (!count) return count;
  const Count base_counted = in.base_counted();
  if (!base_counted) return std::unexpected(base_counted.error());
  return *count / to_double(*base_counted);
}

Number times(double factor, const Number& number) {
  return number ? Number(factor * *number) : number;
}

Number nothing(const Inputs& in) {
  return std::unexpected(in.type.exposition == Exposition::kNone ? NoValue::kNotNumeric
                                                                 : NoValue::kUnknownType);
}

Number raw(const Inputs& in) {
  const std::uint64_t value = in.now.value;
  if (std::ranges::find(in.reading.unknown, value) != in.reading.unknown.end())
    return std::unexpected(NoValue::kMarkedUnknown);
  const auto negative = negative_of(in.type, in.reading, value, in.now.value_bytes);
  return negative ? static_cast<double>(*negative) : to_double(value);
}

Number raw_double(const Inputs& in) {
  const double value = std::bit_cast<double>(in.now.value);
  if (in.now.value_bytes != sizeof value || !std::isfinite(value))
    return std::unexpected(NoValue::kNotNumeric);
  return value;
}

Number raw_fraction(const Inputs& in) {
  if (in.now.base == 0) return std::unexpected(NoValue::kZeroBase);
  return 100 * (to_double(in.now.value) / to_double(in.now.base));
}

Number timer(const Inputs& in) { return times(100, counted_per_tick(in)); }

Number timer_inverse(const Inputs& in) {
  const Number idle = counted_per_tick(in);
  if (!idle) return idle;
  return std::max(0.0, 100 * (1 - *idle));
}

Number multi_timer(const Inputs& in) {
  const Number busy = timer(in);
  if (!busy) return busy;
  if (in.now.base == 0) return std::unexpected(NoValue::kZeroBase);
  return *busy / to_double(in.now.base);
}

Number multi_timer_inverse(const Inputs& in) {
  const Number idle = counted_per_tick(in);
  if (!idle) return idle;
  if (in.now.base == 0) return std::unexpected(NoValue::kZeroBase);
  return std::max(0.0, 100 * (to_double(in.now.base) - *idle));
}

Number average_timer(const Inputs& in) {
  if (!in.frequency().valid()) return std::unexpected(NoValue::kZeroFrequency);
  return times(1 / to_double(in.frequency()), counted_per_base(in));
}

Number elapsed_time(const Inputs& in) {
  if (!in.frequency().valid()) return std::unexpected(NoValue::kZeroFrequency);
  const std::int64_t time = in.time();
  if (time < 0 || in.now.value > static_cast<std::uint64_t>(time))
    return std::unexpected(NoValue::kClockBackwards);
  if (in.now.value == 0) return std::unexpected(NoValue::kNotStarted);
  return to_double(static_cast<std::uint64_t>(time) - in.now.value) / to_double(in.frequency());
}

Number apply(const Inputs& in) {
  switch (in.type.formula) {
    case Formula::kNone:
      return nothing(in);
    case Formula::kRaw:
      return raw(in);
    case Formula::kDouble:
      return raw_double(in);
    case Formula::kDelta:
      return counted(in);
    case Formula::kRate:
      return times(to_double(in.frequency()), counted_per_tick(in));
    case Formula::kQueueLength:
      return counted_per_tick(in);
    case Formula::kRawFraction:
      return raw_fraction(in);
    case Formula::kTimer:
      return timer(in);
    case Formula::kTimerInverse:
      return timer_inverse(in);
    case Formula::kMultiTimer:
      return multi_timer(in);
    case Formula::kMultiTimerInverse:
      return multi_timer_inverse(in);
    case Formula::kAverageTimer:
      return average_timer(in);
    case Formula::kAverageBulk:
      return counted_per_base(in);
    case Formula::kElapsed:
      return elapsed_time(in);
    case Formula::kSampleFraction:
    case Formula::kPrecision:
      return times(100, counted_per_base(in));
  }
  return std::unexpected(NoValue::kUnknownType);
}

// A base that the type doesn't use may change its width.
bool same_widths(const CounterTypeInfo& type, const Observation& a, const Observation& b) {
  return a.value_bytes == b.value_bytes &&
         (type.base == BaseKind::kNone || a.base_bytes == b.base_bytes);
}

}  // namespace

std::expected<double, NoValue> cook(const CounterTypeInfo& type,
                                    const std::optional<Measurement>& previous,
                                    const Measurement& current, const CookOptions& options) {
  static const RawReading kByType;
  const Observation& now = current.observation;
  if (type.base != BaseKind::kNone && now.base_bytes == 0) return std::unexpected(NoValue::kNoBase);
  if (type.needs_previous) {
    if (!previous) return std::unexpected(NoValue::kFirstSample);
    if (!same_widths(type, previous->observation, now))
      return std::unexpected(NoValue::kTypeChanged);
  }
  const Measurement& before = previous ? *previous : current;
  const Number cooked = apply({.type = type,
                               .before = before.observation,
                               .now = now,
                               .clock_before = clock_of(type.time_base, before.clocks),
                               .clock_now = clock_of(type.time_base, current.clocks),
                               .reading = options.reading != nullptr ? *options.reading : kByType,
                               .was_reset = options.was_reset});
  return options.cap_percent && type.percent && cooked ? std::min(*cooked, 100.0) : cooked;
}

std::expected<std::uint64_t, NoValue> growth(std::uint64_t from, std::uint64_t to,
                                             std::uint8_t bytes, NoValue reset) {
  if (to >= from) return to - from;
  if (bytes != sizeof(std::uint32_t)) return std::unexpected(reset);
  const auto step = static_cast<std::uint32_t>(to - from);
  if (step >= kHalfOf32Bits) return std::unexpected(reset);
  return step;
}

}  // namespace winperf::by_cell
