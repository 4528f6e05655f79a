#include "collectors/formula/cook.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <optional>

namespace winperf {
namespace {

using Number = std::expected<double, NoValue>;
using Count = std::expected<std::uint64_t, NoValue>;

constexpr std::uint64_t kHalfOf32Bits = 0x8000'0000;

// Everything a formula may ask for.
struct Inputs {
  const CounterTypeInfo& type;
  const Observation& before;
  const Observation& now;
  const Clocks& clocks_before;
  const Clocks& clocks_now;

  Count counted() const {
    return growth(before.value, now.value, now.value_bytes, NoValue::kCounterReset);
  }
  Count base_counted() const {
    const Count counted = growth(before.base, now.base, now.base_bytes, NoValue::kBaseReset);
    if (counted && *counted == 0) return std::unexpected(NoValue::kZeroBase);
    return counted;
  }
  Count ticks() const {
    const std::optional<std::uint64_t> ticks = ticks_of_time_base();
    if (!ticks) return std::unexpected(NoValue::kClockBackwards);
    if (*ticks == 0) return std::unexpected(NoValue::kZeroInterval);
    return *ticks;
  }
  Frequency frequency() const {
    if (type.time_base == TimeBase::k100ns) return k100nsFrequency;
    return type.time_base == TimeBase::kObject ? clocks_now.object_frequency
                                               : clocks_now.perf_frequency;
  }

 private:
  std::optional<std::uint64_t> ticks_of_time_base() const {
    if (type.time_base == TimeBase::k100ns)
      return elapsed(clocks_before.time_100ns, clocks_now.time_100ns);
    if (type.time_base == TimeBase::kObject)
      return elapsed(clocks_before.object_time, clocks_now.object_time);
    return elapsed(clocks_before.perf_time, clocks_now.perf_time);
  }
};

double ratio(std::uint64_t a, std::uint64_t b) {
  return static_cast<double>(a) / static_cast<double>(b);
}

Number quotient(const Count& a, const Count& b, double factor) {
  if (!a) return std::unexpected(a.error());
  if (!b) return std::unexpected(b.error());
  return factor * ratio(*a, *b);
}

Number raw(const Inputs& in) { return static_cast<double>(in.now.value); }

Number raw_double(const Inputs& in) {
  const double value = std::bit_cast<double>(in.now.value);
  if (in.now.value_bytes != sizeof(double) || !std::isfinite(value))
    return std::unexpected(NoValue::kNotNumeric);
  return value;
}

Number delta(const Inputs& in) {
  const Count counted = in.counted();
  if (!counted) return std::unexpected(counted.error());
  return static_cast<double>(*counted);
}

Number rate(const Inputs& in) {
  if (!in.frequency().valid()) return std::unexpected(NoValue::kZeroFrequency);
  return quotient(in.counted(), in.ticks(), static_cast<double>(in.frequency().ticks_per_second));
}

Number queue_length(const Inputs& in) { return quotient(in.counted(), in.ticks(), 1); }

Number raw_fraction(const Inputs& in) {
  if (in.now.base == 0) return std::unexpected(NoValue::kZeroBase);
  return 100 * ratio(in.now.value, in.now.base);
}

Number sample_fraction(const Inputs& in) { return quotient(in.counted(), in.base_counted(), 100); }

Number timer(const Inputs& in) { return quotient(in.counted(), in.ticks(), 100); }

Number timer_inverse(const Inputs& in) {
  const Number idle = quotient(in.counted(), in.ticks(), 1);
  if (!idle) return idle;
  return std::max(0.0, 100 * (1 - *idle));
}

Number multi_timer(const Inputs& in) {
  const Number busy = timer(in);
  if (!busy) return busy;
  if (in.now.base == 0) return std::unexpected(NoValue::kZeroBase);
  return *busy / static_cast<double>(in.now.base);
}

Number multi_timer_inverse(const Inputs& in) {
  const Number idle = quotient(in.counted(), in.ticks(), 1);
  if (!idle) return idle;
  if (in.now.base == 0) return std::unexpected(NoValue::kZeroBase);
  return std::max(0.0, 100 * (static_cast<double>(in.now.base) - *idle));
}

Number average_timer(const Inputs& in) {
  const Frequency frequency = in.clocks_now.perf_frequency;
  if (!frequency.valid()) return std::unexpected(NoValue::kZeroFrequency);
  return quotient(in.counted(), in.base_counted(),
                  1 / static_cast<double>(frequency.ticks_per_second));
}

Number average_bulk(const Inputs& in) { return quotient(in.counted(), in.base_counted(), 1); }

Number elapsed_time(const Inputs& in) {
  const Frequency frequency = in.frequency();
  if (!frequency.valid()) return std::unexpected(NoValue::kZeroFrequency);
  if (in.now.value == 0) return std::unexpected(NoValue::kNotStarted);
  const std::int64_t time = in.clocks_now.object_time.ticks;
  if (time < 0 || in.now.value > static_cast<std::uint64_t>(time))
    return std::unexpected(NoValue::kClockBackwards);
  return ratio(static_cast<std::uint64_t>(time) - in.now.value,
               static_cast<std::uint64_t>(frequency.ticks_per_second));
}

Number nothing(const Inputs& in) {
  return std::unexpected(in.type.name.empty() ? NoValue::kUnknownType : NoValue::kNotNumeric);
}

// In the order of Formula.
constexpr std::array<Number (*)(const Inputs&), 16> kFormulas{
    nothing,       raw,           raw_double,   delta,
    rate,          queue_length,  raw_fraction, sample_fraction,
    timer,         timer_inverse, multi_timer,  multi_timer_inverse,
    average_timer, average_bulk,  elapsed_time, sample_fraction};
static_assert(kFormulas.size() == static_cast<std::size_t>(Formula::kPrecision) + 1);

}  // namespace

std::expected<double, NoValue> cook(const CounterTypeInfo& type, const Observation* previous,
                                    const Clocks* previous_clocks, const Observation& current,
                                    const Clocks& current_clocks) {
  if (type.base != BaseKind::kNone && current.base_bytes == 0)
    return std::unexpected(NoValue::kNoBase);
  if (type.needs_previous && previous == nullptr) return std::unexpected(NoValue::kFirstSample);
  const bool paired = previous != nullptr && previous_clocks != nullptr;
  const Inputs inputs{.type = type,
                      .before = paired ? *previous : current,
                      .now = current,
                      .clocks_before = paired ? *previous_clocks : current_clocks,
                      .clocks_now = current_clocks};
  const Number cooked = kFormulas.at(static_cast<std::size_t>(type.formula))(inputs);
  return cooked;
}

std::expected<std::uint64_t, NoValue> growth(std::uint64_t from, std::uint64_t to,
                                             std::uint8_t bytes, NoValue reset) {
  if (to >= from) return to - from;
  if (bytes != sizeof(std::uint32_t)) return std::unexpected(reset);
  const std::uint64_t wrapped = static_cast<std::uint32_t>(to) - static_cast<std::uint32_t>(from);
  const std::uint64_t step = wrapped & 0xFFFF'FFFF;
  if (step >= kHalfOf32Bits) return std::unexpected(reset);
  return step;
}

}  // namespace winperf
