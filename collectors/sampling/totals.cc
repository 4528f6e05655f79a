// A hot loop: every value with a total passes continue_all(). Reads stay within the spans because
// each has as many values as there are rows.
#include "collectors/sampling/totals.h"

#include <algorithm>

namespace winperf {
namespace {

// Whether the row has a raw value in the sample before.
bool continues(const ColumnToCook& column, std::size_t row) {
  return column.has_before() && has_raw(column.before.reason[row]);
}

// A total that was reset begins again from the counter's value, as that of an 8-byte counter does.
std::uint32_t width_for_total(const ColumnToCook& column, std::size_t row, std::uint32_t bytes) {
  const bool was_reset = !column.was_reset.empty() && column.was_reset[row] != 0;
  return was_reset ? sizeof(std::uint64_t) : bytes;
}

// The total of a value that continues another one.
std::uint64_t total_after(const ColumnToCook& column, std::uint64_t total_before,
                          std::uint64_t before, std::uint64_t now, std::uint32_t bytes) {
  const auto step = growth(before, now, bytes, NoValue::kCounterReset);
  if (step) return total_before + *step;
  return column.type.formula == Formula::kDelta ? 0 : now;
}

// As if no row lacked anything.
void continue_all(const ColumnToCook& column, std::span<const std::uint64_t> before,
                  std::span<std::uint64_t> totals) {
  const std::span<const std::uint64_t> now = column.now.value;
  const std::span<const std::uint64_t> old = column.before.value;
  if (column.never_fell) {  // so the compiler does two rows at once
    for (std::size_t row = 0; row < totals.size(); ++row)
      totals[row] = before[row] + (now[row] - old[row]);
    return;
  }
  for (std::size_t row = 0; row < totals.size(); ++row)
    totals[row] = now[row] >= old[row]
                      ? before[row] + (now[row] - old[row])
                      : total_after(column, before[row], old[row], now[row], column.value_bytes);
}

}  // namespace

void continue_totals(const ColumnToCook& column, std::span<const std::uint64_t> before,
                     std::span<std::uint64_t> totals) {
  const auto continue_row = [&](std::size_t row) {
    const std::uint64_t raw = column.now.value[row];
    if (!has_raw(column.now.reason[row]))
      totals[row] = 0;
    else if (continues(column, row))
      totals[row] = total_after(column, before[row], column.before.value[row], raw,
                                width_for_total(column, row, column.value_bytes));
    else
      totals[row] = column.type.formula == Formula::kDelta ? 0 : raw;
  };
  if (column.has_before()) {
    continue_all(column, before, totals);
    if (!column.is_plain) for_odd_rows(column, continue_row);
  } else {
    for (std::size_t row = 0; row < totals.size(); ++row) continue_row(row);
  }
}

void continue_base_totals(const ColumnToCook& column, std::span<const std::uint64_t> before,
                          std::span<std::uint64_t> totals) {
  for (std::size_t row = 0; row < totals.size(); ++row) {
    const NoValue reason = column.now.reason[row];
    totals[row] = 0;
    if (!has_raw(reason)) continue;
    const std::uint64_t base = column.now.base[row];
    totals[row] = base;
    // A missing base isn't 0, so the next one can't be measured against it.
    if (!continues(column, row) || reason == NoValue::kNoBase ||
        column.before.reason[row] == NoValue::kNoBase)
      continue;
    const auto step = growth(column.before.base[row], base,
                             width_for_total(column, row, column.base_bytes), NoValue::kBaseReset);
    if (step) totals[row] = before[row] + *step;
  }
}

bool can_fall(const CounterTypeInfo& type) {
  return type.exposition != Exposition::kCounter || type.formula == Formula::kQueueLength ||
         type.formula == Formula::kSampleFraction;
}

void ResetDetector::add(const CounterTypeInfo& type, std::uint64_t before, std::uint64_t now,
                        std::uint32_t bytes) {
  if (now >= before || can_fall(type)) return;
  if (bytes != sizeof(std::uint32_t)) {
    wide_fell_ = true;
    return;
  }
  ++narrow_fell_;
  if (!growth(before, now, sizeof(std::uint32_t), NoValue::kCounterReset)) one_fell_far_ = true;
}

void ResetRows::add(const ColumnToCook& column) {
  if (!column.has_before() || column.never_fell || can_fall(column.type)) return;
  if (detectors_.empty()) detectors_.resize(rows_);
  for (std::size_t row = 0; row < rows_; ++row)
    if (continues(column, row) && has_raw(column.now.reason[row]))
      detectors_[row].add(column.type, column.before.value[row], column.now.value[row],
                          column.value_bytes);
}

std::vector<std::uint8_t> ResetRows::take() const {
  std::vector<std::uint8_t> was_reset;
  if (std::ranges::none_of(detectors_, &ResetDetector::was_reset)) return was_reset;
  for (const ResetDetector& detector : detectors_) was_reset.push_back(detector.was_reset());
  return was_reset;
}

}  // namespace winperf
