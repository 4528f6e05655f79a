// What our formulas make of PDH's raw values, and what they allow for a number that was made in
// between.
//
// The formulas are those of collectors/formula, applied to one value at a time. What describe()
// says of the type decides which of PDH's values is a base and which is a time. Thread rule: pure
// functions. Source: Learn, PDH_RAW_COUNTER; tests/collectors/formula/pdh_rows_test.cc for what the
// second value is.
#pragma once

#include <array>
#include <cstdint>
#include <expected>
#include <optional>

#include "collectors/model/clock.h"
#include "collectors/model/counter_type.h"
#include "collectors/model/raw_reading.h"
#include "collectors/pdh/pdh_api.h"
#include "collectors/pdh/pdh_record.h"

namespace winperf {

// What PDH's SecondValue is.
enum class SecondValue : std::uint8_t { kNothing, kBase, kTime };
SecondValue second_value_of(const CounterTypeInfo& type);

// The clock of a type, of all that a sample has; 0 without one.
std::int64_t time_on(TimeBase clock, const Clocks& clocks);
std::int64_t frequency_of(TimeBase clock, const Clocks& clocks);

// One counter of one instance at one time.
struct CounterPoint {
  std::uint64_t value = 0;  // zero-extended
  std::uint64_t base = 0;
  Clocks clocks{};
};

// PDH's, with its time base.
CounterPoint point_of(const CounterTypeInfo& type, const PdhRaw& raw, std::int64_t time_base,
                      const PdhWidths& widths);

using CookedPoint = std::expected<double, NoValue>;

// `before`: nothing if there is none. Percentages are not capped, and no value is marked.
[[nodiscard]] CookedPoint cook_point(const CounterTypeInfo& type, const PdhWidths& widths,
                                     const std::optional<CounterPoint>& before,
                                     const CounterPoint& now);

// The lowest and the highest number that values between two points give.
struct NumberRange {
  double low = 0;
  double high = 0;
};

// For an older value between older[0] and older[1] and a newer one between newer[0] and newer[1]:
// each formula rises or falls with each of its values, so that the range ends at those given.
// Nothing if one combination has no number.
[[nodiscard]] std::optional<NumberRange> range_of(const CounterTypeInfo& type,
                                                  const PdhWidths& widths,
                                                  const std::array<CounterPoint, 2>& older,
                                                  const std::array<CounterPoint, 2>& newer);

// By how much two computations of the same number may differ: 1e-9 of it and, where a formula
// subtracts from 100 or from the base, of that.
double tolerance_of(const CounterTypeInfo& type, double number, std::uint64_t base);

}  // namespace winperf
