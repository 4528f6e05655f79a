// The tables of the three profiles. Thread rule: constants.
#pragma once

#include <span>

#include "exporter/facts/fact_metric.h"

namespace winperf {

std::span<const FactMetric> winperf_facts();
std::span<const FactMetric> windows_exporter_facts();
std::span<const FactMetric> windows_exporter_legacy_facts();

}  // namespace winperf
