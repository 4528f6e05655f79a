// Turns raw counters into running totals of 64 bits, from which Prometheus can compute rates.
//
// A 4-byte counter wraps within hours on a busy machine; its total continues across the wrap. After
// a reset, and for a new instance, the total starts again from the counter's own value, so that
// Prometheus sees a reset and no spike. A delta counter (PERF_COUNTER_DELTA) is summed up from 0.
#pragma once

#include <cstdint>

#include "collectors/model/counter_type.h"

namespace winperf {

// Total of a counter without a previous sample.
std::uint64_t first_total(const CounterTypeInfo& type, std::uint64_t raw);

// Total of a counter whose previous sample had `previous_raw` and `previous_total`.
// `bytes` is the width at which the raw value wraps: 4 or 8.
std::uint64_t next_total(const CounterTypeInfo& type, std::uint64_t previous_total,
                         std::uint64_t previous_raw, std::uint64_t raw, std::uint8_t bytes);

// The same for the base of a counter, which is never summed up.
std::uint64_t next_base_total(const CounterTypeInfo& type, std::uint64_t previous_total,
                              std::uint64_t previous_raw, std::uint64_t raw, std::uint8_t bytes);

}  // namespace winperf
