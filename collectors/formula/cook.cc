// A hot loop: every value of every sample passes begin(). What is the same for all rows (the
// formula, the interval, the widths) is settled before the loop, so that a row costs the formula
// alone. Where numbers are small enough, which nearly all are, a loop has no branch, and the
// compiler does two rows at once; whether they were is known after it, and if not, cook_all() does
// it again. Rows that lack something are few, and are cooked again one by one. Reads stay within
// the spans because each has as many values as there are rows.
#include "collectors/formula/cook.h"

#include <algorithm>
#include <bit>
#include <cassert>

#include "collectors/formula/formulas.h"

namespace winperf {

formulas::Interval formulas::interval_of(TimeBase time_base, const Clocks& before,
                                         const Clocks& now) {
  const auto between = [](auto begin, auto end, Frequency frequency) {
    Interval interval{.end = end.ticks, .frequency = frequency};
    const std::optional<std::uint64_t> ticks = elapsed(begin, end);
    if (!frequency.valid())
      interval.reason = NoValue::kZeroFrequency;
    else if (!ticks)
      interval.reason = NoValue::kClockBackwards;
    else if (*ticks == 0)
      interval.reason = NoValue::kZeroInterval;
    else
      interval.ticks = to_double(*ticks);
    return interval;
  };
  switch (time_base) {
    case TimeBase::k100ns:
      return between(before.time_100ns, now.time_100ns, k100nsFrequency);
    case TimeBase::kObject:
      return between(before.object_time, now.object_time, now.object_frequency);
    case TimeBase::kNone:
    case TimeBase::kPerf:
      break;
  }
  return between(before.perf_time, now.perf_time, now.perf_frequency);
}

namespace {

using formulas::Number;
using formulas::Row;

bool has_no_reason(std::span<const NoValue> reasons) {
  std::uint8_t any = 0;  // as wide as a reason, so that many are checked together
  for (const NoValue reason : reasons) any |= static_cast<std::uint8_t>(reason);
  return any == 0;
}

// Whether the formula measures the base against that of the sample before, which may have none.
bool needs_previous_base(const CounterTypeInfo& type) {
  return type.needs_previous && type.base != BaseKind::kNone && type.base != BaseKind::kMulti;
}

// Whether the sample before has the raw values that the formula needs.
bool has_values_before(const ColumnToCook& column, std::size_t row) {
  if (!column.has_before() || !has_raw(column.before.reason[row])) return false;
  return column.before.reason[row] != NoValue::kNoBase || !needs_previous_base(column.type);
}

std::uint64_t at(std::span<const std::uint64_t> values, std::size_t row) {
  return values.empty() ? 0 : values[row];
}

const Clocks& clocks_of(const RawColumn& column, std::size_t row) {
  return column.own_clocks.empty() ? *column.clocks : column.own_clocks[row];
}

formulas::Column fixed_of(const ColumnToCook& column) {
  const Clocks& before = column.has_before() ? *column.before.clocks : *column.now.clocks;
  return {.is_numeric = column.type.exposition != Exposition::kNone,
          .is_signed = is_signed(column.type, column.reading, column.value_bytes),
          .value_bytes = column.value_bytes,
          .base_bytes = column.base_bytes,
          .unknown = column.reading.unknown,
          .interval = formulas::interval_of(column.type.time_base, before, *column.now.clocks)};
}

// As if no row lacked anything.
template <class Formula>
void cook_all(const ColumnToCook& in, const Formula& formula, std::span<double> cooked,
              std::span<NoValue> reason) {
  const formulas::Column fixed = fixed_of(in);
  for (std::size_t row = 0; row < cooked.size(); ++row) {
    const Number number = formula(fixed, {.value = in.now.value[row],
                                          .base = at(in.now.base, row),
                                          .value_before = in.before.value[row],
                                          .base_before = at(in.before.base, row)});
    cooked[row] = number.value;
    reason[row] = number.reason;
  }
}

bool has_own_clocks(const ColumnToCook& column) {
  return !column.now.own_clocks.empty() || !column.before.own_clocks.empty();
}

// Why the formula can't be applied to a row, whatever its values are.
NoValue lack_of(const ColumnToCook& in, bool has_before) {
  if (in.type.needs_previous && in.type_changed) return NoValue::kTypeChanged;
  if (in.type.base != BaseKind::kNone && in.base_bytes == 0) return NoValue::kNoBase;
  return in.type.needs_previous && !has_before ? NoValue::kFirstSample : NoValue::kNone;
}

// `reason`: that reading the row has given.
template <class Formula>
Number cook_row(const ColumnToCook& in, std::size_t row, NoValue reason, formulas::Column& fixed,
                const Formula& formula) {
  if (reason != NoValue::kNone) return {.reason = reason};
  const bool has_before = has_values_before(in, row);
  if (const NoValue lack = lack_of(in, has_before); lack != NoValue::kNone) return {.reason = lack};
  if (has_own_clocks(in)) {
    const Clocks& now = clocks_of(in.now, row);
    fixed.interval =
        formulas::interval_of(in.type.time_base, has_before ? clocks_of(in.before, row) : now, now);
  }
  Row values{.value = in.now.value[row],
             .base = at(in.now.base, row),
             .was_reset = !in.was_reset.empty() && in.was_reset[row] != 0};
  if (has_before) {
    values.value_before = in.before.value[row];
    values.base_before = at(in.before.base, row);
  }
  return formula(fixed, values);
}

bool can_have_base(const ColumnToCook& column) {
  return column.type.base == BaseKind::kNone || column.base_bytes != 0;
}

}  // namespace

bool is_plain(const ColumnToCook& column) {
  return column.has_before() && column.was_reset.empty() && !has_own_clocks(column) &&
         can_have_base(column) && has_no_reason(column.now.reason) &&
         has_no_reason(column.before.reason);
}

namespace {

// From 2^52 to 2^53, doubles are the integers: the lower 52 bits of 2^52 + n are n. So a small n
// becomes a double by setting the bits of 2^52 and subtracting it, for several rows at once.
constexpr double kTwoTo52 = 0x1p52;

constexpr bool is_small(std::uint64_t number) { return number < std::uint64_t{1} << 52U; }

WINPERF_ALWAYS_INLINE inline double small_to_double(std::uint64_t number) {
  return std::bit_cast<double>(number | std::bit_cast<std::uint64_t>(kTwoTo52)) - kTwoTo52;
}

// All values of a column, OR-ed: that is below a power of two exactly if each of them is.
struct GrowthBits {
  std::uint64_t growth = 0;
  std::uint64_t before = 0;

  WINPERF_ALWAYS_INLINE std::uint64_t add(std::uint64_t from, std::uint64_t to) {
    growth |= to - from;
    before |= from;
    return to - from;
  }
  // If a value falls from below 2^63, now - before is above 2^63 (modulo 2^64), which isn't small.
  bool none_fell() const { return is_small(growth) && before >> 63U == 0; }
};

bool never_fell(const ColumnToCook& in) {
  GrowthBits bits;
  for (std::size_t row = 0; row < in.now.value.size(); ++row)
    bits.add(in.before.value[row], in.now.value[row]);
  return bits.none_fell();
}

// A false result means that what is cooked is wrong, because a value fell or grew too much.
// `fixed`: with an interval.
template <class Formula>
bool cook_growth(const ColumnToCook& in, formulas::Column fixed, const Formula& formula,
                 std::span<double> cooked) {
  fixed.interval.reason = NoValue::kNone;  // lets the compiler leave out the check
  const std::uint64_t* const now = in.now.value.data();
  const std::uint64_t* const before = in.before.value.data();
  double* const out = cooked.data();
  const std::size_t rows = cooked.size();
  GrowthBits bits;
  for (std::size_t row = 0; row < rows; ++row) {
    const double growth = small_to_double(bits.add(before[row], now[row]));
    out[row] = formula(fixed, Number{.value = growth}).value;
  }
  return bits.none_fell();
}

// Raw counts, whose cooked values are the raw ones. A false result means that what is cooked is
// wrong, because one is too large, or negative.
bool cook_numbers(const ColumnToCook& in, const formulas::Column& fixed, std::span<double> cooked) {
  const std::uint64_t* const now = in.now.value.data();
  std::uint64_t bits = 0;
  for (std::size_t row = 0; row < cooked.size(); ++row) {
    bits |= now[row];
    cooked[row] = small_to_double(now[row]);
  }
  constexpr std::uint64_t kSignOf32Bits = 0x8000'0000;
  return is_small(bits) &&
         (!fixed.is_signed || fixed.value_bytes != sizeof(std::uint32_t) || bits < kSignOf32Bits);
}

}  // namespace

void ColumnCooker::begin(ColumnToCook& column, std::span<double> cooked) {
  if (!column.has_before()) return;
  assert(column.now.value.size() == cooked.size() && column.before.value.size() == cooked.size());
  const formulas::Column fixed = fixed_of(column);
  formulas::with_formula(column.type.formula, [&]<class Formula>(const Formula& formula) {
    if constexpr (formulas::IsRaw<Formula>) {
      column.is_cooked =
          !has_own_clocks(column) && fixed.unknown.empty() && cook_numbers(column, fixed, cooked);
    } else if constexpr (formulas::TakesGrowthAlone<Formula>) {
      if (!has_own_clocks(column) && fixed.interval.reason == NoValue::kNone)
        column.is_cooked = column.never_fell = cook_growth(column, fixed, formula, cooked);
      else
        column.never_fell = never_fell(column);
    } else if (column.type.needs_previous) {
      column.never_fell = never_fell(column);
    }
  });
}

namespace {

template <class Formula>
void cook_each(const ColumnToCook& column, const Formula& formula, std::span<double> cooked,
               std::span<NoValue> reason) {
  formulas::Column fixed = fixed_of(column);
  for (std::size_t row = 0; row < cooked.size(); ++row) {
    const Number number = cook_row(column, row, reason[row], fixed, formula);
    cooked[row] = number.value;
    reason[row] = number.reason;
  }
}

}  // namespace

void ColumnCooker::cook(const ColumnToCook& column, const CookOptions& options,
                        std::span<double> cooked, std::span<NoValue> reason) {
  assert(column.now.value.size() == cooked.size() && column.now.reason.size() == cooked.size());
  const bool is_capped = options.cap_percent && column.type.percent;
  if (column.is_cooked && column.is_plain && !is_capped) return;
  const bool are_all_odd = !column.has_before() || has_own_clocks(column) || !can_have_base(column);
  odd_.clear();
  if (!are_all_odd && !column.is_plain)
    for_odd_rows(column, [&](std::uint32_t row) { odd_.push_back({row, reason[row]}); });
  formulas::with_formula(column.type.formula, [&](auto formula) {
    if (are_all_odd) return cook_each(column, formula, cooked, reason);
    if (!column.is_cooked) cook_all(column, formula, cooked, reason);
    if (odd_.empty()) return;
    formulas::Column fixed = fixed_of(column);
    for (const Odd& odd : odd_) {
      const Number number = cook_row(column, odd.row, odd.reason, fixed, formula);
      cooked[odd.row] = number.value;
      reason[odd.row] = number.reason;
    }
  });
  if (is_capped)
    for (double& value : cooked) value = std::min(value, 100.0);
}

}  // namespace winperf
