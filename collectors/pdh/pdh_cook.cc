#include "collectors/pdh/pdh_cook.h"

#include <algorithm>
#include <cmath>
#include <span>

#include "collectors/formula/cook.h"

namespace winperf {
namespace {

constexpr double kClose = 1e-9;

std::uint64_t cut_to(std::int64_t value, std::uint32_t bytes) {
  const auto whole = static_cast<std::uint64_t>(value);
  return bytes == sizeof(std::uint32_t) ? static_cast<std::uint32_t>(whole) : whole;
}

RawColumn column_of(const CounterPoint& point, bool has_base, std::span<const NoValue> reason) {
  return {.value = std::span(&point.value, 1),
          .base = std::span(&point.base, has_base ? 1 : 0),
          .reason = reason,
          .own_clocks = {},
          .clocks = &point.clocks};
}

}  // namespace

SecondValue second_value_of(const CounterTypeInfo& type) {
  if (type.base != BaseKind::kNone && type.base != BaseKind::kMulti) return SecondValue::kBase;
  return type.time_base == TimeBase::kNone ? SecondValue::kNothing : SecondValue::kTime;
}

std::int64_t time_on(TimeBase clock, const Clocks& clocks) {
  if (clock == TimeBase::kPerf) return clocks.perf_time.ticks;
  if (clock == TimeBase::k100ns) return clocks.time_100ns.ticks;
  return clock == TimeBase::kObject ? clocks.object_time.ticks : 0;
}

std::int64_t frequency_of(TimeBase clock, const Clocks& clocks) {
  if (clock == TimeBase::kPerf) return clocks.perf_frequency.ticks_per_second;
  if (clock == TimeBase::k100ns) return k100nsFrequency.ticks_per_second;
  return clock == TimeBase::kObject ? clocks.object_frequency.ticks_per_second : 0;
}

CounterPoint point_of(const CounterTypeInfo& type, const PdhRaw& raw, std::int64_t time_base,
                      const PdhWidths& widths) {
  CounterPoint point{.value = cut_to(raw.first, widths.bytes)};
  if (second_value_of(type) == SecondValue::kBase)
    point.base = cut_to(raw.second, widths.base_bytes);
  if (type.base == BaseKind::kMulti) point.base = raw.multi_count;
  // The formula takes the one of the type's clock.
  point.clocks = {.perf_time = {raw.second},
                  .perf_frequency = {time_base},
                  .time_100ns = {raw.second},
                  .object_time = {raw.second},
                  .object_frequency = {time_base}};
  return point;
}

CookedPoint cook_point(const CounterTypeInfo& type, const PdhWidths& widths,
                       const std::optional<CounterPoint>& before, const CounterPoint& now) {
  static const RawReading kByType;
  const std::array there{NoValue::kNone};
  std::array reason{NoValue::kNone};
  std::array cooked{0.0};
  const bool has_base = widths.base_bytes != 0;
  if (type.base != BaseKind::kNone && !has_base) return std::unexpected(NoValue::kNoBase);
  const ColumnToCook column{.type = type,
                            .reading = kByType,
                            .value_bytes = widths.bytes,
                            .base_bytes = widths.base_bytes,
                            .now = column_of(now, has_base, reason),
                            .before = before ? column_of(*before, has_base, there) : RawColumn{},
                            .was_reset = {}};
  ColumnCooker().cook(column, {}, cooked, reason);
  if (reason[0] != NoValue::kNone) return std::unexpected(reason[0]);
  return cooked[0];
}

std::optional<NumberRange> range_of(const CounterTypeInfo& type, const PdhWidths& widths,
                                    const std::array<CounterPoint, 2>& older,
                                    const std::array<CounterPoint, 2>& newer) {
  constexpr unsigned kCombinations = 64;
  std::optional<NumberRange> range;
  // Each bit chooses the earlier or the later reading of one value.
  const auto chosen = [](const std::array<CounterPoint, 2>& of, unsigned bits) {
    return CounterPoint{.value = of[bits & 1U].value,
                        .base = of[(bits >> 1U) & 1U].base,
                        .clocks = of[(bits >> 2U) & 1U].clocks};
  };
  for (unsigned bits = 0; bits < kCombinations; ++bits) {
    const auto number = cook_point(type, widths, chosen(older, bits), chosen(newer, bits >> 3U));
    if (!number) return std::nullopt;
    if (!range) range = NumberRange{.low = *number, .high = *number};
    range->low = std::min(range->low, *number);
    range->high = std::max(range->high, *number);
  }
  return range;
}

double tolerance_of(const CounterTypeInfo& type, double number, std::uint64_t base) {
  constexpr double kWhole = 100;
  const double whole =
      type.multi ? kWhole * std::max<double>(1, static_cast<double>(base)) : kWhole;
  return kClose * (std::abs(number) + (type.inverse ? whole : 0));
}

}  // namespace winperf
