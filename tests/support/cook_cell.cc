#include "tests/support/cook_cell.h"

#include <gtest/gtest.h>

#include <array>
#include <span>

namespace winperf::testing {
namespace {

RawColumn raw_column(const Measurement& measurement, std::span<const NoValue> reason) {
  const Observation& seen = measurement.observation;
  return {.value = std::span(&seen.value, 1),
          .base = std::span(&seen.base, seen.base_bytes == 0 ? 0 : 1),
          .reason = reason,
          .own_clocks = {},
          .clocks = &measurement.clocks};
}

// A counter whose width changes is another one.
bool same_widths(const CounterTypeInfo& type, const Observation& a, const Observation& b) {
  return a.value_bytes == b.value_bytes &&
         (type.base == BaseKind::kNone || a.base_bytes == b.base_bytes);
}

// `reason`: of the row in the sample before. `is_begun`: whether the first pass is made, which may
// cook it the quick way.
std::expected<double, NoValue> cook_after(const CounterTypeInfo& type,
                                          const std::optional<Measurement>& previous,
                                          const Measurement& current, const CellOptions& options,
                                          NoValue reason, bool is_begun) {
  static const RawReading kByType;
  std::array now{NoValue::kNone};
  const std::array before{reason};
  std::array cooked{0.0};
  const std::array<std::uint8_t, 1> was_reset{1};
  const bool changed = previous && !same_widths(type, previous->observation, current.observation);
  ColumnToCook column{.type = type,
                      .reading = options.reading != nullptr ? *options.reading : kByType,
                      .value_bytes = current.observation.value_bytes,
                      .base_bytes = current.observation.base_bytes,
                      .now = raw_column(current, now),
                      .before = previous && !changed ? raw_column(*previous, before) : RawColumn{},
                      .type_changed = changed,
                      .was_reset = std::span(was_reset).first(options.was_reset ? 1 : 0)};
  if (is_begun) ColumnCooker::begin(column, cooked);
  ColumnCooker().cook(column, {.cap_percent = options.cap_percent}, cooked, now);
  if (now[0] != NoValue::kNone) {
    EXPECT_EQ(cooked[0], 0);
  }
  return now[0] == NoValue::kNone ? std::expected<double, NoValue>(cooked[0])
                                  : std::unexpected(now[0]);
}

}  // namespace

std::expected<double, NoValue> cook(const CounterTypeInfo& type,
                                    const std::optional<Measurement>& previous,
                                    const Measurement& current, const CellOptions& options) {
  const auto quickly = cook_after(type, previous, current, options, NoValue::kNone, true);
  const auto with_others = cook_after(type, previous, current, options, NoValue::kNone, false);
  EXPECT_EQ(quickly, with_others);
  const bool needs_base = type.needs_previous && type.base != BaseKind::kNone;
  if (!needs_base) {  // without its base, a row is cooked by itself
    EXPECT_EQ(cook_after(type, previous, current, options, NoValue::kNoBase, false), with_others);
  }
  return with_others;
}

}  // namespace winperf::testing
