// Cooks one cell at a time, in the words of the documentation: what the columns of a sample are
// compared with.
#pragma once

#include <cstdint>
#include <expected>
#include <optional>

#include "collectors/model/clock.h"
#include "collectors/model/counter_type.h"
#include "collectors/model/raw_reading.h"

namespace winperf::by_cell {

// One counter of one instance in one sample.
struct Observation {
  std::uint64_t value = 0;       // raw, zero-extended from value_bytes
  std::uint64_t base = 0;        // raw, zero-extended from base_bytes
  std::uint8_t value_bytes = 0;  // 4 or 8: where the raw value wraps
  std::uint8_t base_bytes = 0;   // 4 or 8; 0 if the counter has no base
};

// An observation and the time when it was made.
struct Measurement {
  Observation observation;
  Clocks clocks;
};

struct CookOptions {
  bool cap_percent = false;  // percentages are capped at 100, as in perfmon's charts
  // The instance is known to have been reset, so that a value that fell hasn't wrapped.
  bool was_reset = false;
  // What the counter's names add to its type; null: nothing.
  const RawReading* reading = nullptr;
};

// `previous`: empty for the first sample.
[[nodiscard]] std::expected<double, NoValue> cook(const CounterTypeInfo& type,
                                                  const std::optional<Measurement>& previous,
                                                  const Measurement& current,
                                                  const CookOptions& options = {});

[[nodiscard]] std::expected<std::uint64_t, NoValue> growth(std::uint64_t from, std::uint64_t to,
                                                           std::uint8_t bytes, NoValue reset);

}  // namespace winperf::by_cell
