// Cooks one cell, for tests of formulas: a column of one row.
#pragma once

#include <cstdint>
#include <expected>
#include <optional>

#include "collectors/formula/cook.h"

namespace winperf::testing {

// One counter of one instance in one sample.
struct Observation {
  std::uint64_t value = 0;       // raw, zero-extended from value_bytes
  std::uint64_t base = 0;        // raw, zero-extended from base_bytes
  std::uint8_t value_bytes = 0;  // 4 or 8
  std::uint8_t base_bytes = 0;   // 4 or 8; 0 if the counter has no base
};

// An observation and the time when it was made.
struct Measurement {
  Observation observation;
  Clocks clocks;
};

struct CellOptions {
  bool cap_percent = false;
  bool was_reset = false;
  const RawReading* reading = nullptr;  // null: what the type says
};

// `previous`: empty for the first sample. Fails the test if the result depends on how the row is
// cooked: with all others, or by itself.
std::expected<double, NoValue> cook(const CounterTypeInfo& type,
                                    const std::optional<Measurement>& previous,
                                    const Measurement& current, const CellOptions& options = {});

}  // namespace winperf::testing
