// The number that a family shows for one row of a sample. If there is none (missing raw value, no
// base, no clock), the answer is nothing, never 0. So is that for ValueSource::kInstances, which
// isn't about a row. Thread rule: any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <variant>

#include "collectors/model/sample.h"
#include "exporter/mapping/family.h"

namespace winperf {

// Whole numbers stay whole, because a double holds only 53 bits. An int64_t is below 0.
using MetricValue = std::variant<std::uint64_t, double, std::int64_t>;

std::optional<MetricValue> metric_value(const ValueRule& rule, const CountersetSample& sample,
                                        std::size_t row);

}  // namespace winperf
