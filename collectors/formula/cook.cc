#include "collectors/formula/cook.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <optional>

namespace winperf {
namespace {

using Number = std::expected<double, NoValue>;
using Count = std::expected<std::uint64_t, NoValue>;

constexpr std::uint32_t kHalfOf32Bits = 0x8000'0000;

// Everything a formula may ask for.
struct Inputs {
  const CounterTypeInfo& type;
  const Observation& before;
  const Observation& now;
  const Clocks& clocks_before;
  const Clocks& clocks_now;

  Frequency frequency() const {
    if (type.time_base == TimeBase::k100ns) return k100nsFrequency;
    return type.time_base == TimeBase::kObject ? clocks_now.object_frequency
                                               : clocks_now.perf_frequency;
  }
  std::int64_t time() const {
    if (type.time_base == TimeBase::k100ns) return clocks_now.time_100ns.ticks;
    return type.time_base == TimeBase::kObject ? clocks_now.object_time.ticks
                                               : clocks_now.perf_time.ticks;
  }
  std::optional<std::uint64_t> interval() const {
    if (type.time_base == TimeBase::k100ns)
      return elapsed(clocks_before.time_100ns, clocks_now.time_100ns);
    if (type.time_base == TimeBase::kObject)
      return elapsed(clocks_before.object_time, clocks_now.object_time);
    return elapsed(clocks_before.perf_time, clocks_now.perf_time);
  }

  // T1-T0, never 0. An object without a clock of its own has both time and frequency 0.
  Count ticks() const {
    if (!frequency().valid()) return std::unexpected(NoValue::kZeroFrequency);
    const std::optional<std::uint64_t> ticks = interval();
    if (!ticks) return std::unexpected(NoValue::kClockBackwards);
    if (*ticks == 0) return std::unexpected(NoValue::kZeroInterval);
    return *ticks;
  }
  // N1-N0.
  Count counted() const {
    return growth(before.value, now.value, now.value_bytes, NoValue::kCounterReset);
  }
  // B1-B0, never 0.
  Count base_counted() const {
    const Count counted = growth(before.base, now.base, now.base_bytes, NoValue::kBaseReset);
    if (counted && *counted == 0) return std::unexpected(NoValue::kZeroBase);
    return counted;
  }
};

double to_double(std::uint64_t number) { return static_cast<double>(number); }
double to_double(Frequency frequency) { return static_cast<double>(frequency.ticks_per_second); }

// (N1-N0) / (T1-T0)
Number counted_per_tick(const Inputs& in) {
  const Count ticks = in.ticks();
  if (!ticks) return std::unexpected(ticks.error());
  const Count counted = in.counted();
  if (!counted) return std::unexpected(counted.error());
  return to_double(*counted) / to_double(*ticks);
}

// (N1-N0) / (B1-B0)
Number counted_per_base(const Inputs& in) {
  const Count counted = in.counted();
  if (!counted) return std::unexpected(counted.error());
  const Count base_counted = in.base_counted();
  if (!base_counted) return std::unexpected(base_counted.error());
  return to_double(*counted) / to_double(*base_counted);
}

Number times(double factor, const Number& number) {
  return number ? Number(factor * *number) : number;
}

Number nothing(const Inputs& in) {
  return std::unexpected(in.type.exposition == Exposition::kNone ? NoValue::kNotNumeric
                                                                 : NoValue::kUnknownType);
}

Number raw(const Inputs& in) { return to_double(in.now.value); }

Number raw_double(const Inputs& in) {
  const double value = std::bit_cast<double>(in.now.value);
  if (in.now.value_bytes != sizeof value || !std::isfinite(value))
    return std::unexpected(NoValue::kNotNumeric);
  return value;
}

Number delta(const Inputs& in) {
  const Count counted = in.counted();
  if (!counted) return std::unexpected(counted.error());
  return to_double(*counted);
}

Number rate(const Inputs& in) { return times(to_double(in.frequency()), counted_per_tick(in)); }

Number raw_fraction(const Inputs& in) {
  if (in.now.base == 0) return std::unexpected(NoValue::kZeroBase);
  return 100 * (to_double(in.now.value) / to_double(in.now.base));
}

Number sample_fraction(const Inputs& in) { return times(100, counted_per_base(in)); }

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

// In the order of Formula.
constexpr std::array<Number (*)(const Inputs&), kFormulaCount> kFormulas{
    nothing,       raw,
    raw_double,    delta,
    rate,          counted_per_tick,
    raw_fraction,  sample_fraction,
    timer,         timer_inverse,
    multi_timer,   multi_timer_inverse,
    average_timer, counted_per_base,
    elapsed_time,  sample_fraction};

// What a base that the type does not use was before does not matter.
bool same_widths(const CounterTypeInfo& type, const Observation& a, const Observation& b) {
  return a.value_bytes == b.value_bytes &&
         (type.base == BaseKind::kNone || a.base_bytes == b.base_bytes);
}

}  // namespace

std::expected<double, NoValue> cook(const CounterTypeInfo& type, const Observation* previous,
                                    const Clocks* previous_clocks, const Observation& current,
                                    const Clocks& current_clocks, const CookOptions& options) {
  if (type.base != BaseKind::kNone && current.base_bytes == 0)
    return std::unexpected(NoValue::kNoBase);
  const bool paired = previous != nullptr && previous_clocks != nullptr;
  if (type.needs_previous) {
    if (!paired) return std::unexpected(NoValue::kFirstSample);
    if (!same_widths(type, *previous, current)) return std::unexpected(NoValue::kTypeChanged);
  }
  const Inputs inputs{.type = type,
                      .before = paired ? *previous : current,
                      .now = current,
                      .clocks_before = paired ? *previous_clocks : current_clocks,
                      .clocks_now = current_clocks};
  const Number cooked = kFormulas[static_cast<std::size_t>(type.formula)](inputs);
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

}  // namespace winperf
