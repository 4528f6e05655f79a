// Which numbers of a counter are wanted on the metrics page. Thread rule: values.
#pragma once

#include <cstdint>

namespace winperf {

enum class MetricValues : std::uint8_t {
  kBoth,
  kRaw,     // running totals, from which Prometheus computes what it needs
  kCooked,  // perfmon's numbers
};

}  // namespace winperf
