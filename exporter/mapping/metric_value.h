// The number that a family shows for one row of a sample.
// Nothing where there is no number (missing raw value, no base, no clock): it is never 0 then.
#pragma once

#include <cstdint>
#include <optional>
#include <variant>

#include "collectors/model/sample.h"
#include "exporter/mapping/family.h"

namespace winperf {

// Whole numbers stay whole: a double holds no more than 53 bits.
using MetricValue = std::variant<std::uint64_t, double>;

std::optional<MetricValue> metric_value(const ValueRule& rule, const CountersetSample& sample,
                                        std::size_t row);

}  // namespace winperf
