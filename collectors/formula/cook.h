// Cooks a counter: applies the formula of its type to one or two samples, for all instances in
// turn.
//
// Pure: no state, and no clocks except those in the arguments. Integers stay integers up to the
// last step. Nothing is capped at 100 % unless requested (perfmon's NOCAP100); inverse timers never
// fall below 0. A value is always finite. Errors: the NoValue with the reason; if several apply,
// the first of
//   1. the type: kNotNumeric, kUnknownType
//   2. the input: kTypeChanged, kNoBase, kFirstSample
//   3. the clock: kZeroFrequency, kClockBackwards, kZeroInterval
//   4. the counter: kMarkedUnknown, kCounterReset, kNotStarted
//   5. its base: kBaseReset, kZeroBase
// Thread rule: any thread.
// Source: docs/counter-types.md, Microsoft's "Calculating Counter Values".
#pragma once

#include <cstdint>
#include <cstring>
#include <expected>
#include <span>
#include <vector>

#include "collectors/model/clock.h"
#include "collectors/model/counter_type.h"
#include "collectors/model/raw_reading.h"

namespace winperf {

struct CookOptions {
  bool cap_percent = false;  // percentages are capped at 100, as in perfmon's charts
};

// One counter of all instances in one sample. Raw values are zero-extended.
struct RawColumn {
  std::span<const std::uint64_t> value;
  std::span<const std::uint64_t> base;  // empty if the counter has none
  std::span<const NoValue> reason;      // why there is no value or no base, or none was cooked
  std::span<const Clocks> own_clocks;   // of each cell; empty: `clocks` are
  const Clocks* clocks = nullptr;
};

struct ColumnToCook {
  const CounterTypeInfo& type;
  const RawReading& reading;      // what the counter's names add to its type
  std::uint32_t value_bytes = 0;  // 4 or 8: where the raw value wraps
  std::uint32_t base_bytes = 0;   // the same of the base; 0 if the counter has none
  RawColumn now;
  // The same instances in the sample before; one without a raw value there has a reason. Without
  // `clocks` if it doesn't have this counter.
  RawColumn before;
  bool type_changed = false;  // it has one with this index, but of another type or size
  // By row: the instance is known to have been reset, so that a value that fell hasn't wrapped.
  // Empty: none was.
  std::span<const std::uint8_t> was_reset;
  bool is_plain = false;  // as is_plain() says
  // True only if ColumnCooker::begin() has proved that no value is below that of the sample before,
  // so that none has wrapped or was reset. False: each row has to be checked.
  bool never_fell = false;
  bool is_cooked = false;  // by begin(), except rows that lack something

  bool has_before() const { return before.clocks != nullptr; }
};

// Whether all rows have raw values and bases in both samples, by the same clocks, so that none
// needs a check.
bool is_plain(const ColumnToCook& column);

// Calls `use` with each row that may lack something: a raw value or a base in one of the samples,
// or that was reset. Most columns have none or few, so eight rows are checked at a time.
template <class Use>
void for_odd_rows(const ColumnToCook& column, const Use& use) {
  const std::size_t rows = column.now.reason.size();
  const auto eight = [](const auto& of_rows, std::size_t row) {
    std::uint64_t bytes = 0;
    static_assert(sizeof of_rows[0] == 1);
    std::memcpy(&bytes, of_rows.data() + row, sizeof bytes);
    return bytes;
  };
  const bool some_were_reset = !column.was_reset.empty();
  for (std::uint32_t row = 0; row < rows; ++row) {
    while (rows - row >= sizeof(std::uint64_t) &&
           (eight(column.now.reason, row) | eight(column.before.reason, row) |
            (some_were_reset ? eight(column.was_reset, row) : 0)) == 0) {
      row += sizeof(std::uint64_t);
      if (row == rows) return;
    }
    const NoValue before = column.before.reason[row];
    if (column.now.reason[row] != NoValue::kNone || !has_raw(before) ||
        before == NoValue::kNoBase || (some_were_reset && column.was_reset[row] != 0))
      use(row);
  }
}

// Cooks columns. Thread rule: one thread.
class ColumnCooker {
 public:
  // The first pass, of all columns before the second: cooks those that need no check of each row,
  // which are nearly all, and sets their flags. Leaves reasons as they are.
  static void begin(ColumnToCook& column, std::span<double> cooked);
  // The second: sets the cooked value of each row, or 0 and the reason. A row with a reason
  // (`now.reason`, which is `reason`) keeps it.
  void cook(const ColumnToCook& column, const CookOptions& options, std::span<double> cooked,
            std::span<NoValue> reason);

 private:
  // A row that lacks something.
  struct Odd {
    std::uint32_t row = 0;
    NoValue reason = NoValue::kNone;
  };

  std::vector<Odd> odd_;  // of the column; kept for its memory
};

// Growth of a counter that wraps at its width. A 4-byte value that went backwards has wrapped if
// the growth modulo 2^32 is below 2^31, and was reset otherwise; an 8-byte value that went
// backwards was reset. `reset`: the reason to report then.
[[nodiscard]] inline std::expected<std::uint64_t, NoValue> growth(std::uint64_t from,
                                                                  std::uint64_t to,
                                                                  std::uint32_t bytes,
                                                                  NoValue reset) {
  constexpr std::uint32_t kHalfOf32Bits = 0x8000'0000;
  if (to >= from) return to - from;
  if (bytes != sizeof(std::uint32_t)) return std::unexpected(reset);
  const auto step = static_cast<std::uint32_t>(to - from);
  if (step >= kHalfOf32Bits) return std::unexpected(reset);
  return step;
}

}  // namespace winperf
